import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createInProcessTransport } from '../../src/http/in-process.ts';
import { createVirtualClock } from '../../src/time/virtual-clock.ts';
import { nowhere } from '../support/build.ts';
import { inTemporaryFolder } from '../support/folder.ts';
import { alarms, runInWords } from '../support/run-in-words.ts';

const note = {
  type: 'object',
  required: ['title'],
  properties: {
    title: { type: 'string', minLength: 1, maxLength: 30 },
    stars: { type: ['integer', 'null'], minimum: 1, maximum: 5 },
    tags: { type: 'array', items: { enum: ['red', 'blue'] }, maxItems: 3 },
  },
};
const upload = {
  ...note,
  properties: { ...note.properties, file: { type: 'string', format: 'binary' } },
};

const posting = (mediaType: string, schema: object) => ({
  post: {
    requestBody: { required: true, content: { [mediaType]: { schema } } },
    responses: { 201: { description: 'Stored.' }, 422: { description: 'Invalid.' } },
  },
});

const document = {
  openapi: '3.1.0',
  info: { title: 'Uploads', version: '1' },
  paths: {
    '/notes': posting('application/x-www-form-urlencoded', note),
    '/uploads': posting('multipart/form-data', upload),
    '/lines': posting('text/plain', { type: 'string', maxLength: 40 }),
    '/blobs': posting('application/octet-stream', {}),
  },
};

const isNote = (form: FormData): boolean => {
  const [title, stars] = [form.getAll('title'), form.getAll('stars')];
  const [only] = title;
  return (
    title.length === 1 &&
    typeof only === 'string' &&
    only !== '' &&
    [...only.replaceAll('\r\n', '\n')].length <= 30 &&
    (stars.length === 0 || (stars.length === 1 && /^[1-5]$/.test(String(stars[0])))) &&
    form.getAll('tags').length <= 3 &&
    form.getAll('tags').every((tag) => tag === 'red' || tag === 'blue') &&
    form.getAll('file').every((file) => file instanceof File)
  );
};

const isValid = async (request: Request, path: string): Promise<boolean> => {
  const type = request.headers.get('Content-Type') ?? '';
  if (path === '/lines') return type === 'text/plain' && [...(await request.text())].length <= 40;
  if (path === '/blobs') return type === 'application/octet-stream' && (await request.text()) !== '';
  return isNote(await request.formData().catch(() => new FormData()));
};

const judge = async (seed: number) => {
  const clock = createVirtualClock(Date.parse('2026-03-01T12:00:00Z'));
  const statuses = new Map<string, Set<number>>();
  const transport = createInProcessTransport(async ({ url, method, headers, body }) => {
    const path = new URL(url).pathname;
    const request = new Request(url, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      body: body === null ? null : Buffer.from(body),
    });
    const status = (await isValid(request, path)) ? 201 : 422;
    statuses.set(path, (statuses.get(path) ?? new Set()).add(status));
    return { status, headers: [], body: new Uint8Array() };
  }, clock);
  const target = nowhere({
    baseUrl: 'http://localhost',
    keys: { main: null, 'rate-limit': null },
    transport,
  });
  const { outcome, exit } = await inTemporaryFolder(async (folder) => {
    const spec = join(folder, 'openapi.json');
    await writeFile(spec, JSON.stringify(document));
    return runInWords({ seed, spec }, { clock, target });
  });
  return { exit, alarms: alarms(outcome), statuses };
};

test.each([1, 2])('forms, files, text, and bytes, seed %i -> sent valid and invalid', async (seed) => {
  const { exit, alarms: found, statuses } = await judge(seed);
  expect({ exit, found }).toEqual({ exit: 0, found: [] });
  expect([...statuses.keys()].toSorted()).toEqual(['/blobs', '/lines', '/notes', '/uploads']);
  for (const [path, seen] of statuses) expect([path, seen.has(201)]).toEqual([path, true]);
  for (const path of ['/notes', '/uploads', '/lines']) expect(statuses.get(path)).toContain(422);
});
