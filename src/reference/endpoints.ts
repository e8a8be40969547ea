import { stringifyJson } from '../json/stringify.ts';
import { memoized, memoizedLast } from '../util/memoize.ts';
import type { Call, LimitDecision, Parts } from './parts.ts';
import type { Pet } from './pet.ts';
import { jsonReply, type Reply } from './reply.ts';

async function listPets(call: Call): Promise<Reply> {
  const { parts, url, state } = call;
  const limit = parts.readLimit(url.searchParams.getAll('limit'));
  if (!limit.ok) return parts.fail('invalid-parameter', call, limit.message);
  const status = parts.readStatus(url.searchParams.getAll('status'));
  if (!status.ok) return parts.fail('invalid-parameter', call, status.message);
  await parts.settle(call);
  const query = { limit: limit.value, status: status.value };
  return jsonReply(200, parts.renderPets(parts.select(parts.order(state), query, call), call));
}

async function createPet(call: Call): Promise<Reply> {
  const { parts, state } = call;
  const body = await call.body();
  if (!body.ok) return parts.fail(body.problem, call);
  const parsed = parts.parseBody(body.bytes, call);
  if (!parsed.ok) return parts.fail('invalid-body', call, parsed.message);
  const violations = parts.violations(parsed.value);
  if (violations.length > 0) return parts.fail('invalid-body', call, violations.join('; '));
  const newPet = parts.toNewPet(parsed.value, call);
  const pet = { ...newPet, id: await parts.assignId(newPet, state) };
  await parts.settle(call);
  await parts.insert(pet, state);
  return jsonReply(201, parts.renderPet(pet, call));
}

async function getPet(call: Call): Promise<Reply> {
  const { parts, route, state } = call;
  if (route.operation !== 'getPet') return parts.fail('unknown-resource', call);
  if (call.at >= parts.removedAt) return parts.fail('removed', call);
  const id = parts.readPetId(route.petId);
  await parts.settle(call);
  const pet = id === null ? undefined : await parts.find(id, state);
  const reply = pet ? jsonReply(200, parts.renderPet(pet, call)) : parts.fail('unknown-pet', call);
  return { ...reply, headers: { ...reply.headers, ...parts.deprecationHeaders(call) } };
}

async function listOrders(call: Call): Promise<Reply> {
  await call.parts.settle(call);
  return jsonReply(200, call.parts.renderOrders(call));
}

/** Checks the key before everything else. */
async function respond(call: Call): Promise<Reply> {
  const { grant, parts, route } = call;
  if (grant === null) return parts.unauthenticated(call);
  if (route.operation !== null) return parts.handlers[route.operation](call);
  const reply = parts.fail(route.problem, call);
  return route.problem === 'method-not-allowed'
    ? { ...reply, headers: { ...reply.headers, allow: route.allow } }
    : reply;
}

const dateOf = memoizedLast((at: number) => new Date(at).toUTCString());

function decorate(reply: Reply, { windowState }: LimitDecision, call: Call): Reply {
  const json = reply.body !== null && 'json' in reply.body;
  const headers = {
    date: dateOf(call.at),
    ...(json ? { 'content-type': 'application/json' } : {}),
    ...call.parts.rateLimitHeaders(windowState, call),
    ...reply.headers,
  };
  return { ...reply, headers };
}

const removal = new Date('2030-12-05T00:00:00Z');
/** The document does not say when the operation was deprecated: five years before its removal. */
const deprecation = new Date('2025-12-05T00:00:00Z');
const deprecationHeaders = { deprecation: `@${deprecation.getTime() / 1000}`, sunset: removal.toUTCString() };

/** How the server responds: sections "Endpoints" and "Versioning". */
export const endpointParts = {
  time: (now) => now,
  wrap: (_call, next) => next(),
  respond,
  handlers: { listPets, createPet, getPet, listOrders },
  settle: () => Promise.resolve(),
  decorate,
  stringify: stringifyJson,
  renderPet: memoized(({ id, name, categoryId, status, extra }: Pet) => ({
    id,
    name,
    categoryId,
    ...(status === undefined ? {} : { status }),
    ...extra,
  })),
  renderPets: (pets, call) => pets.map((pet) => call.parts.renderPet(pet, call)),
  renderOrders: () => [],
  removedAt: removal.getTime(),
  deprecationHeaders: () => deprecationHeaders,
} satisfies Partial<Parts>;
