import { expect, test } from 'vitest';
import {
  checkNamed,
  exchangeOf,
  failedExchangeOf,
  parsedResponse,
  type ResponseStub,
  serverModelAt,
  today,
} from '../../test/support/build.ts';
import { createPet, listPets } from '../check/requests.ts';
import type { Probe } from '../finding/probe.ts';
import type {
  ClientState,
  SendOptions as HttpSendOptions,
  NotSent,
  SendResult,
} from '../http/client-types.ts';
import type { Exchange } from '../http/exchange.ts';
import { createCreationAllowance } from './creation-allowance.ts';
import { type Attempt, createExchangePipeline } from './exchange-pipeline.ts';
import { createCrashTracker } from './harmful-requests.ts';

type StubResult = ResponseStub | 'dropped' | 'refused' | 'aborted' | 'not sent';
const kinds = { dropped: 'reset', refused: 'refused', aborted: 'aborted' } as const;

const state: ClientState = {
  hasResponded: true,
  unreachableReason: null,
  timeoutReason: null,
  sendsAlone: false,
  ended: { main: null, 'rate-limit': null, anonymous: null },
  sent: 0,
  done: 0,
  unauthenticated: 0,
};

/** A pipeline over a client that gets these results in turn. After each but the last, it sends the request again. */
const pipelineWith = (
  results: readonly StubResult[],
  { maxCreates = 10, unreachableReason = null as NotSent | null } = {},
) => {
  const kept: string[] = [];
  const slept: number[] = [];
  const ending = new AbortController();
  const creations = createCreationAllowance(maxCreates, false);
  const attempt: Attempt = {
    check: checkNamed('LIST-1 a check'),
    findings: [],
    sent: [],
    exchanges: 0,
    lostTo: null,
  };
  const repeatable: (boolean | undefined)[] = [];
  const send = async (
    request: Probe['request'],
    { repeatable: isRepeatable, observe = () => {} }: HttpSendOptions = {},
  ): Promise<SendResult> => {
    repeatable.push(isRepeatable);
    const exchanges: Exchange[] = [];
    for (const each of results) {
      if (each === 'not sent') return { kind: 'not-sent', exchanges, reason: { code: 'budget', budget: 1 } };
      const probe: Probe = { request, inputSpace: 'unspecified', expects: [], label: '' };
      const exchange =
        typeof each === 'string' ? failedExchangeOf(probe, kinds[each]) : exchangeOf(probe, each);
      exchanges.push(exchange);
      observe(exchange);
    }
    const last = exchanges.at(-1) ?? failedExchangeOf(listPets({}), 'reset');
    return last.response === null
      ? { kind: 'no-response', exchange: last, exchanges }
      : { kind: 'responded', exchange: last, exchanges };
  };
  const serverModel = serverModelAt();
  const pipeline = createExchangePipeline({
    client: { send, state: () => ({ ...state, unreachableReason }) },
    serverModel,
    creations,
    crashTracker: createCrashTracker(),
    clock: {
      now: () => today,
      sleep: async (ms, signal) => {
        signal?.throwIfAborted();
        slept.push(ms);
      },
    },
    signal: ending.signal,
    keep: (_, check, findings) =>
      kept.push(`${check.title}: ${findings.filter(({ kind }) => kind === 'breach').length}`),
    monitor: () => [],
  });
  return { pipeline, attempt, kept, creations, repeatable, slept, serverModel, ending };
};
const rex = { id: 1n, name: 'Rex', categoryId: 1n };
const creation = createPet({ name: 'Rex', categoryId: 1n });
const breached = ({ findings }: Attempt) =>
  findings.filter(({ kind }) => kind === 'breach').map(({ requirement }) => requirement);

test('retried request: every exchange is judged, kept, and counted; the case gets the last response', async () => {
  const { pipeline, attempt, kept } = pipelineWith([
    { status: 429, headers: { 'Retry-After': null } },
    { json: [rex] },
  ]);
  expect((await pipeline.send(listPets({}), attempt)).status).toBe(200);
  expect(attempt.exchanges).toBe(2);
  expect(breached(attempt)).toEqual(['RATE-7']);
  expect(kept).toEqual(['a check: 1', 'a check: 0']);
});

test('no response after all retries -> a breach, and the case ends', async () => {
  const { pipeline, attempt, kept } = pipelineWith(['dropped', 'dropped']);
  await expect(pipeline.send(listPets({}), attempt)).rejects.toMatchObject({
    reason: { code: 'no-response', detail: 'request', request: 'GET /pets' },
  });
  expect(breached(attempt)).toEqual(['GEN-4']);
  expect(kept).toEqual(['a check: 0', 'a check: 1']);
  expect(attempt.exchanges).toBe(1);
});

test('dropped, then no connection on the retry -> reported as dropped', async () => {
  for (const [results, unreachableReason] of [
    [['dropped', 'refused', 'refused'], null],
    [['dropped', 'refused', 'not sent'], { code: 'target-gone', detail: 'gone' }],
  ] as const) {
    const { pipeline, attempt } = pipelineWith(results, { unreachableReason });
    await expect(pipeline.send(listPets({}), attempt)).rejects.toThrow();
    expect(attempt.findings).toMatchObject([
      { requirement: 'GEN-4', problem: { rule: 'no-response', failure: 'reset' } },
    ]);
  }
});

test('a request that is only observed gets no response -> a breach if the server is gone', async () => {
  for (const [unreachableReason, requirements] of [
    [null, []],
    [{ code: 'target-gone', detail: 'gone' }, ['GEN-4']],
  ] as const) {
    const { pipeline, attempt } = pipelineWith(['dropped'], { unreachableReason });
    await expect(pipeline.send({ ...listPets({}), observedOnly: true }, attempt)).rejects.toThrow();
    expect(breached(attempt)).toEqual(requirements);
  }
});

test('a request that is sent alone waits after another one was dropped', async () => {
  const { pipeline, attempt, slept } = pipelineWith(['dropped']);
  const alone = { ...attempt, alone: true };
  for (const each of [alone, attempt, alone]) await pipeline.send(listPets({}), each).catch(() => null);
  expect(slept).toHaveLength(1);
  expect(slept[0]).toBeGreaterThan(0);
});

test('the run is aborted -> a request that is sent alone does not wait', async () => {
  const { pipeline, attempt, slept, ending } = pipelineWith(['dropped']);
  await pipeline.send(listPets({}), attempt).catch(() => null);
  ending.abort();
  await pipeline.send(listPets({}), { ...attempt, alone: true }).catch(() => null);
  expect(slept).toEqual([]);
});

test('dropped, then not sent again because of the budget -> not a breach', async () => {
  const { pipeline, attempt } = pipelineWith(['dropped', 'not sent']);
  await expect(pipeline.send(listPets({}), attempt)).rejects.toThrow('budget');
  expect(attempt.findings).toEqual([]);
});

test('not sent -> the case ends with the reason', async () => {
  const { pipeline, attempt } = pipelineWith(['not sent']);
  await expect(pipeline.send(listPets({}), attempt)).rejects.toThrow('budget');
  expect(attempt.exchanges).toBe(0);
});

test.each<[string, readonly StubResult[], number]>([
  ['201', [{ status: 201, json: rex }], 1],
  ['other success', [{ status: 202, json: rex }], 1],
  ['no response', ['dropped'], 1],
  ['400', [{ status: 400 }], 0],
  ['429', [{ status: 429 }], 0],
  ['not sent', ['not sent'], 0],
  ['in flight when the run ended', ['aborted', 'not sent'], 1],
  ['dropped, not sent again', ['dropped', 'not sent'], 1],
  ['no connection', ['refused', 'not sent'], 0],
])('creation allowance: %s -> %3$i used', async (_, results, used) => {
  const { pipeline, attempt, creations } = pipelineWith(results);
  await pipeline.send(creation, attempt).catch(() => null);
  expect(creations.used).toBe(used);
});

test.each<[string, readonly StubResult[], boolean]>([
  ['not sent', ['not sent'], true],
  ['no connection', ['refused'], true],
  ['429, never accepted', [{ status: 429 }, 'not sent'], true],
  ['400', [{ status: 400 }], true],
  ['dropped, then 400', ['dropped', { status: 400 }], true],
  ['dropped, may still be executed', ['dropped'], false],
  ['dropped, then no connection', ['dropped', 'refused'], false],
])('earlier creation: %s -> a later 400 counts: %3$s', async (_, results, counts) => {
  const { pipeline, attempt, serverModel } = pipelineWith(results);
  const invalid = createPet(rex, { inputSpace: 'undocumented' });
  await pipeline.send(invalid, attempt).catch(() => null);
  const over = serverModel.sending(invalid);
  serverModel.update({
    probe: invalid,
    response: parsedResponse(invalid, { status: 400 }),
    sequence: 2,
    sequenceAtEnd: 2,
  });
  over();
  expect(serverModel.refusalOf(rex, 9) !== null).toBe(counts);
  expect(serverModel.wasWronglyAccepted(rex)).toBe(!counts);
});

test('no creation beyond --max-creates, and reading costs nothing', async () => {
  const { pipeline, attempt } = pipelineWith([{ status: 201, json: rex }], { maxCreates: 1 });
  await pipeline.send(creation, attempt);
  await expect(pipeline.send(creation, attempt)).rejects.toThrow('max-creates');
  expect(attempt.exchanges).toBe(1);
  expect((await pipeline.send(listPets({}), attempt)).status).toBe(201);
});

test('a response cut at --max-body ends its case, and what was read is judged', async () => {
  const { pipeline, attempt } = pipelineWith([{ body: '[{"id":1},{"id":1},', cutAt: 19 }]);
  await expect(pipeline.send(listPets({ limit: 1 }), attempt)).rejects.toMatchObject({
    reason: { code: 'max-body', bytes: 19 },
    lostTo: 'max-body',
  });
  expect(breached(attempt)).toEqual(expect.arrayContaining(['LIST-3', 'LIST-9', 'GEN-3']));
});

test('a creation that is meant to succeed is never sent twice', async () => {
  const { pipeline, attempt, repeatable } = pipelineWith([{ status: 201, json: rex }]);
  const expecting = (status: number) =>
    createPet(rex, { expects: [{ requirement: 'CREATE-1', statuses: [status], because: '' }] });
  for (const probe of [creation, expecting(201), expecting(400), listPets({})])
    await pipeline.send(probe, attempt);
  expect(repeatable).toEqual([false, false, true, true]);
});

test('send: a case that ends while it waits after a 429 -> the 429', async () => {
  const { pipeline, attempt } = pipelineWith([{ status: 429 }, 'not sent']);
  await expect(pipeline.send(listPets({}), attempt)).rejects.toMatchObject({ response429: { status: 429 } });
  const { pipeline: unsent } = pipelineWith(['not sent']);
  await expect(unsent.send(listPets({}), attempt)).rejects.toMatchObject({ response429: null });
});
