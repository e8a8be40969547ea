// What a refused request shows of a server: that it parses, or that it validates.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../support/command.ts';
import { folder } from '../support/processes.ts';
import { serveOnSocket } from '../support/servers.ts';

const tag = {
  type: 'object',
  required: ['code', 'size'],
  properties: { code: { type: 'string', pattern: '^[A-Z]{3}$' }, size: { type: 'integer', maximum: 40 } },
};
const body = (schema: object) => ({ content: { 'application/json': { schema } } });
const document = {
  openapi: '3.1.0',
  info: { title: 'Tags', version: '1' },
  paths: {
    '/tags': {
      post: {
        requestBody: { required: true, ...body(tag) },
        responses: {
          201: { description: 'Created.', ...body({ type: 'object' }) },
          400: { description: 'Invalid.' },
        },
      },
    },
  },
};

interface Tag {
  readonly code: string;
  readonly size: number;
}

const isTag = (value: unknown): value is Tag =>
  typeof value === 'object' &&
  value !== null &&
  'code' in value &&
  typeof value.code === 'string' &&
  'size' in value &&
  Number.isInteger(value.size);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** The verdicts on a server that refuses what is no tag, and these tags. */
const verdictsOn = async (refuses: (tag: Tag) => boolean, ...words: readonly string[]) => {
  const spec = join(folder, 'tags.json');
  await writeFile(spec, JSON.stringify(document));
  const { baseUrl } = await serveOnSocket({
    keys: [],
    fetch: async (request) => {
      const value = parse(await request.text());
      return isTag(value) && !refuses(value)
        ? Response.json({ ...value }, { status: 201 })
        : new Response(null, { status: 400 });
    },
    refuse: async () => new Response(null, { status: 400 }),
  });
  const ended = await run([
    '--spec',
    spec,
    '--base-url',
    baseUrl.replace(/\/v1$/, ''),
    '--seed',
    '1',
    ...words,
  ]);
  const verdictOf = (id: string) => ended.report?.requirements.find((each) => each.id === id)?.verdict;
  return { code: ended.code, verdicts: [verdictOf('REQ-2'), verdictOf('REQ-3')] };
};

const isTooLarge = ({ size }: Tag): boolean => size > 40;
const isMisspelled = ({ code }: Tag): boolean => !/^[A-Z]{3}$/.test(code);

test('it parses, and validates no value -> a warning, and a failure with --strict-requests', async () => {
  expect(await verdictsOn(() => false)).toEqual({ code: 0, verdicts: ['passed', 'warned'] });
  expect((await verdictsOn(() => false, '--strict-requests')).code).toBe(1);
});

test('it validates one value, and misses another -> a failure', async () => {
  expect(await verdictsOn(isTooLarge)).toMatchObject({ code: 1, verdicts: ['failed', expect.anything()] });
});

test('it validates every value -> no failure', async () => {
  const { code, verdicts } = await verdictsOn((sent) => isTooLarge(sent) || isMisspelled(sent));
  expect([code, verdicts[0]]).toEqual([0, 'passed']);
});
