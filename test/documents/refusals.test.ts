// What a refused request shows of a server: that it parses, or that it validates.
import { expect, test } from 'vitest';
import type { Settings } from '../../src/api/settings.ts';
import { runOnApi } from '../support/api-run.ts';
import { content, objectIn } from '../support/small-apis.ts';

const tag = {
  type: 'object',
  required: ['code', 'size'],
  properties: { code: { type: 'string', pattern: '^[A-Z]{3}$' }, size: { type: 'integer', maximum: 40 } },
};
const document = {
  openapi: '3.1.0',
  info: { title: 'Tags', version: '1' },
  paths: {
    '/tags': {
      post: {
        requestBody: { required: true, ...content(tag) },
        responses: {
          201: { description: 'Created.', ...content({ type: 'object' }) },
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

/** The verdicts on a server that refuses what is no tag, and these tags. */
const verdictsOn = async (refuses: (tag: Tag) => boolean, settings: Settings = {}) => {
  const respond = async (request: Request): Promise<Response> => {
    const value = objectIn(await request.text());
    return isTag(value) && !refuses(value)
      ? Response.json({ ...value }, { status: 201 })
      : new Response(null, { status: 400 });
  };
  const { exitCode, report } = await runOnApi(document, respond, settings);
  const verdictOf = (id: string) => report.requirements.find((each) => each.id === id)?.verdict;
  return { exitCode, verdicts: [verdictOf('REQ-2'), verdictOf('REQ-3')] };
};

const isTooLarge = ({ size }: Tag): boolean => size > 40;
const isMisspelled = ({ code }: Tag): boolean => !/^[A-Z]{3}$/.test(code);

test('it parses, and validates no value -> a warning, and a failure with strictRequests', async () => {
  expect(await verdictsOn(() => false)).toEqual({ exitCode: 0, verdicts: ['passed', 'warned'] });
  expect((await verdictsOn(() => false, { strictRequests: true })).exitCode).toBe(1);
});

test('it validates one value, and misses another -> a failure', async () => {
  expect(await verdictsOn(isTooLarge)).toMatchObject({
    exitCode: 1,
    verdicts: ['failed', expect.anything()],
  });
});

test('it validates every value -> no failure', async () => {
  const { exitCode, verdicts } = await verdictsOn((sent) => isTooLarge(sent) || isMisspelled(sent));
  expect([exitCode, verdicts[0]]).toEqual([0, 'passed']);
});
