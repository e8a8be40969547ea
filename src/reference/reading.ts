import { decodeBody } from '../json/decode.ts';
import { isJsonObject, type Json } from '../json/json.ts';
import { parseJson } from '../json/parse.ts';
import type { IncomingRequest } from './incoming.ts';
import type { BodyReading, Parts, ReadResult, Route } from './parts.ts';
import { isInt64, isPetStatus, petStatuses } from './pet.ts';

/** Splits a path into percent-decoded segments; null if the encoding is malformed. */
function segmentsOf(path: string): readonly string[] | null {
  const segments = path.split('/').slice(1);
  if (!path.includes('%')) return segments;
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** The resource at a path: an operation for each method, with HEAD as GET. */
function resourceAt(path: string): Readonly<Record<string, Route>> | null {
  const segments = segmentsOf(path);
  if (segments === null || segments[0] !== 'v1' || segments.length > 3) return null;
  const [, collection, member] = segments;
  if (collection === 'pets' && member === undefined)
    return { GET: { operation: 'listPets' }, POST: { operation: 'createPet' } };
  if (collection === 'pets' && member) return { GET: { operation: 'getPet', petId: member } };
  if (collection === 'store' && member === 'orders') return { GET: { operation: 'listOrders' } };
  return null;
}

function route(method: string, path: string): Route {
  const resource = resourceAt(path);
  if (resource === null) return { operation: null, problem: 'unknown-resource' };
  const found = Object.hasOwn(resource, method) ? resource[method] : method === 'HEAD' ? resource.GET : null;
  if (found) return found;
  const allow = Object.keys(resource).join(', ').replace('GET', 'GET, HEAD');
  return { operation: null, problem: 'method-not-allowed', allow };
}

function readLimit(values: readonly string[]): ReadResult<number> {
  const [text = '20', ...more] = values;
  const limit = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 0;
  if (more.length > 0 || limit < 1 || limit > 100)
    return { ok: false, message: 'limit must be one integer from 1 to 100' };
  return { ok: true, value: limit };
}

const statusRule = `status must be one of ${petStatuses.join(', ')}`;

function readStatus(values: readonly string[]): ReturnType<Parts['readStatus']> {
  const [status, ...more] = values;
  if (more.length > 0) return { ok: false, message: statusRule };
  if (status === undefined || isPetStatus(status)) return { ok: true, value: status };
  return { ok: false, message: statusRule };
}

function readPetId(text: string): bigint | null {
  if (!/^(0|-?[1-9]\d{0,18})$/.test(text)) return null;
  const id = BigInt(text);
  return isInt64(id) ? id : null;
}

function parseBody(bytes: Uint8Array): ReadResult<Json> {
  const { text, problems } = decodeBody(bytes);
  if (problems.length > 0) return { ok: false, message: `the body is no JSON text: ${problems.join(', ')}` };
  const parsed = parseJson(text);
  if (!parsed.ok) return { ok: false, message: `the body is not JSON: see character ${parsed.position + 1}` };
  if (parsed.duplicates.length > 0)
    return { ok: false, message: `the body repeats names: ${parsed.duplicates.join(', ')}` };
  return { ok: true, value: parsed.value };
}

function violations(body: Json): readonly string[] {
  if (!isJsonObject(body)) return ['the body must be a JSON object'];
  const found: string[] = [];
  if (typeof body.name !== 'string') found.push('name must be a string');
  if (!isInt64(body.categoryId)) found.push('categoryId must be an integer of 64 bits');
  if (body.status !== undefined && !isPetStatus(body.status)) found.push(statusRule);
  return found;
}

function toNewPet(body: Json): ReturnType<Parts['toNewPet']> {
  const { name, categoryId, status } = isJsonObject(body) ? body : {};
  return {
    name: typeof name === 'string' ? name : '',
    categoryId: isInt64(categoryId) ? categoryId : 0n,
    status: isPetStatus(status) ? status : 'available',
    extra: {},
  };
}

/** How the server parses requests. An animal that is created without a status is available. */
export const readingParts = {
  route,
  readLimit,
  readStatus,
  readPetId,
  maxBodyBytes: 1_000_000,
  readBody,
  // A message without Host is accepted: the server has only one host. One without a length has no body.
  isReadable: ({ framing }) => framing === undefined || framing === 'no host' || framing === 'missing length',
  parseBody,
  violations,
  toNewPet,
} satisfies Partial<Parts>;

const tooLarge: BodyReading = { ok: false, problem: 'body-too-large' };

/** Reads a body of at most `max` bytes, and keeps no more in memory. It does not rely on Content-Length. */
async function readBody(request: IncomingRequest, max: number): Promise<BodyReading> {
  const declared = request.headers.get('content-length');
  if (declared !== null && Number(declared) > max) return tooLarge;
  if (request.body === null) return { ok: true, bytes: new Uint8Array() };
  try {
    if (declared !== null) return { ok: true, bytes: new Uint8Array(await request.arrayBuffer()) };
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of request.body) {
      size += chunk.byteLength;
      if (size > max) return tooLarge;
      chunks.push(chunk);
    }
    return { ok: true, bytes: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks) };
  } catch {
    return { ok: false, problem: 'unreadable' };
  }
}
