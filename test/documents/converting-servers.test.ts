// Servers that convert what they read, as ASP.NET Core, Laravel, and gRPC gateways do.
import { expect, test } from 'vitest';
import { runOnApi } from '../support/api-run.ts';
import { json, type Members, objectIn } from '../support/small-apis.ts';

const problem = json({ type: 'object', required: ['message'] });
const note = {
  type: 'object',
  required: ['email', 'at'],
  properties: {
    email: { type: 'string', format: 'email' },
    at: { type: 'string', format: 'date-time' },
    state: { type: 'string', enum: ['draft', 'final'] },
    bytes: { type: 'string', format: 'bytes' },
    words: { type: 'array', items: { type: 'string' } },
  },
};
const stored = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
const whole = (name: string) => ({ name, in: 'query', schema: { type: 'integer' } });
const listOf = (...parameters: readonly object[]) => ({
  parameters,
  responses: { 200: json({ type: 'array', items: stored }), 400: problem },
});
const document = {
  openapi: '3.1.0',
  info: { title: 'Notes', version: '1' },
  paths: {
    '/notes': {
      get: listOf(whole('floor'), whole('year')),
      post: {
        requestBody: { required: true, ...json(note) },
        responses: { 201: json(stored), 400: problem },
      },
    },
    '/notes/{noteId}': {
      get: {
        parameters: [{ name: 'noteId', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 200: json(stored), 404: problem },
      },
    },
  },
};

/** What a server with these names does wrong. */
type Mistake = 'any floor' | 'any time' | 'no body for a missing note';

const notesServer = (mistake: Mistake | null) => {
  const notes: Members[] = [];
  const refusal = (status: number) => Response.json({ message: 'Refused.' }, { status });
  const isNote = ({ email, at, state, bytes, words }: Members): boolean =>
    typeof email === 'string' &&
    /^[^@\s]+@[^@\s.]+(\.[^@\s.]+)*$/.test(email) &&
    // A date without a time is its midnight, and a number or true is a count of seconds.
    (typeof at === 'number' ||
      typeof at === 'boolean' ||
      (typeof at === 'string' && (mistake === 'any time' || !Number.isNaN(Date.parse(at))))) &&
    (state === undefined || (typeof state === 'string' && ['draft', 'final'].includes(state.trim()))) &&
    (bytes === undefined || (typeof bytes === 'string' && /^([\w+/-]{4})*[\w+/-]{0,3}=*$/.test(bytes))) &&
    (words === undefined || (Array.isArray(words) && words.every((word) => typeof word === 'string')));
  const list = (query: URLSearchParams, items: readonly Members[]): Response => {
    // An empty value is none.
    const isWhole = (name: string) => /^(-?\d+)?$/.test((query.get(name) ?? '').trim());
    if (!isWhole('year') || (!isWhole('floor') && mistake !== 'any floor')) return refusal(400);
    return Response.json(items);
  };
  return async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    const route = `${request.method} ${pathname}`;
    if (route === 'GET /notes') return list(searchParams, notes);
    if (route === 'POST /notes') {
      const sent = objectIn(await request.text());
      if (sent === null || !isNote(sent)) return refusal(400);
      const created = {
        ...sent,
        ...(typeof sent.state === 'string' ? { state: sent.state.trim() } : {}),
        id: notes.length + 1,
      };
      notes.push(created);
      return Response.json(created, { status: 201 });
    }
    const [, id] = /^GET \/notes\/(-?\d+)$/.exec(route) ?? [];
    // The router has no body for what it does not know.
    if (id === undefined) return new Response(null, { status: 404 });
    const found = notes[Number(id) - 1];
    if (found !== undefined) return Response.json(found);
    return mistake === 'no body for a missing note' ? new Response(null, { status: 404 }) : refusal(404);
  };
};

test.each([1, 3])(
  'empty values, dates and numbers as times, trimmed texts, and a router with its own 404, seed %i -> no failure',
  async (seed) => {
    const result = await runOnApi(document, notesServer(null), { seed });
    expect(result).toMatchObject({ exitCode: 0, alarms: [], messages: [] });
  },
);

test.each([
  ['any floor', 'REQ-2', 'GET /notes with floor'],
  ['any time', 'REQ-2', 'POST /notes with at'],
  ['no body for a missing note', 'GEN-2', 'got an empty body'],
] as const)('%s -> %s fails', async (mistake, requirement, about) => {
  const { alarms, messages } = await runOnApi(document, notesServer(mistake), {
    only: [requirement],
    runs: 3,
  });
  expect(alarms).toEqual([requirement]);
  expect(messages).toContainEqual(expect.stringContaining(about));
});
