import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../support/command.ts';
import { folder } from '../support/processes.ts';
import { serveOnSocket } from '../support/servers.ts';
import { choices } from './conforming-choices.ts';
import type { Choice } from './things-server.ts';

const described = { description: 'As described.' };
const body = (schema: object) => ({ content: { 'application/json': { schema } } });
const item = { type: 'object', required: ['id'], properties: { id: { type: 'integer', minimum: 1 } } };

const documentFor = ({ members = {}, required = [], query = {}, hasNoRead = false }: Choice) => {
  const properties = { name: { type: 'string', minLength: 1, maxLength: 80 }, ...members };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };
  const ifMatch = { name: 'If-Match', in: 'header', schema: { type: 'string' } };
  const sent = (needed: readonly string[]) => ({
    requestBody: {
      required: true,
      ...body({
        type: 'object',
        properties,
        additionalProperties: false,
        ...(needed.length > 0 ? { required: needed } : {}),
      }),
    },
  });
  const about = (success: string, schema: object = item) => ({
    responses: {
      [success]: { ...described, ...(success === '204' ? {} : body(schema)) },
      ...{ 404: described, 409: described, 412: described },
    },
  });
  const changed = hasNoRead ? { type: 'object' } : item;
  return {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: {
      '/things': {
        get: {
          parameters: Object.entries(query).map(([name, schema]) => ({ name, in: 'query', schema })),
          responses: { 200: { ...described, ...body({ type: ['array', 'object'] }) } },
        },
        post: { ...sent(['name', ...required]), responses: { 201: { ...described, ...body(item) } } },
      },
      '/things/{id}': {
        parameters: [id],
        ...(hasNoRead ? {} : { get: about('200') }),
        put: { ...sent(['name', ...required]), parameters: [ifMatch], ...about('200', changed) },
        patch: { ...sent([]), parameters: [ifMatch], ...about('200', changed) },
        delete: about('204'),
      },
    },
  };
};

test.each(choices.map((choice) => [choice.name, choice] as const))(
  'a server that %s -> no failure',
  async (name, choice) => {
    const spec = join(folder, `${name.replaceAll(/\W+/g, '-')}.json`);
    await writeFile(spec, JSON.stringify(choice.document ?? documentFor(choice)));
    const { baseUrl } = await serveOnSocket({
      keys: [],
      fetch: choice.serve(),
      refuse: async () => new Response(null, { status: 400 }),
    });
    const { code, report } = await run(['--base-url', baseUrl, '--spec', spec, '--seed', '1']);
    const failed = report?.requirements.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);
    const messages = report?.requirements.flatMap(({ failures }) => failures.map(({ message }) => message));
    expect({ code, failed, messages }).toEqual({ code: 0, failed: [], messages: [] });
  },
  120_000,
);
