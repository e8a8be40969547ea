import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  causesIn,
  causesOf,
  causesWith,
  day,
  errorOf,
  findingsOf,
  httpDateOf,
  now,
  passedIn,
  problemsIn,
  type ResponseStub,
  serverModelAt,
} from '../../../test/support/build.ts';
import { createPet, getPet, listOrders, listPets } from '../../check/requests.ts';
import { anonymous, bearer } from '../../http/credentials.ts';
import type { Plan } from '../../openapi/plans.ts';

const [limit, remaining, reset] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const;

describe('RATE-1', () => {
  test.each([
    [200, listPets({})],
    [401, listPets({ credential: anonymous })],
    [200, listOrders()],
    [429, listOrders()],
    [201, createPet({ name: 'Rex', categoryId: 1n })],
    [400, createPet({}, { inputSpace: 'undocumented' })],
    [404, getPet('9')],
    [429, getPet('9')],
  ])('header missing on %i -> breach', (status, probe) => {
    const json =
      status < 300 ? (status === 201 ? { id: 1n, name: 'Rex', categoryId: 1n } : []) : errorOf(status);
    for (const missing of [[limit], [remaining], [reset], [limit, reset], [limit, remaining, reset]]) {
      const headers = Object.fromEntries(missing.map((name) => [name, null]));
      expect(causesOf({ status, json, headers }, probe)).toContain(
        `RATE-1: header-missing (${missing.join(', ')} on ${status})`,
      );
    }
    expect(passedIn(findingsOf(probe, { status, json }))).toContain('RATE-1');
  });

  test('statuses of a proxy without the headers -> no breach', () => {
    const headers = { [limit]: null, [remaining]: null, [reset]: null };
    for (const status of [405, 413, 422, 431])
      expect(causesOf({ status, headers }, listPets({ limit: 'x', inputSpace: 'undocumented' }))).toEqual([]);
  });

  test('headers with similar names -> in the problem', () => {
    const misnamed = { 'X-Rate-Limit-Limit': '60', 'RateLimit-Reset': '7', [limit]: null, [reset]: null };
    expect(problemsIn(findingsOf(listPets({}), { json: [], headers: misnamed }))[0]).toMatchObject({
      missing: [limit, reset],
      misnamed: ['X-Rate-Limit-Limit', 'RateLimit-Reset'],
    });
  });
});

describe('RATE-2: Limit and Remaining', () => {
  const text = fc.oneof(
    fc.constantFrom(...'|-1|1.5|1e3|0x10|10, 10|unlimited|60;w=60|１０|+5|5 requests'.split('|')),
    fc.string().filter((value) => !/^\d+$/.test(value.trim())),
  );
  test('not a whole number -> breach', () => {
    fc.assert(
      fc.property(text, fc.constantFrom(limit, remaining), (value, name) => {
        expect(causesWith({ [name]: value })).toEqual([`RATE-2: header-malformed (${name})`]);
      }),
    );
    expect(causesWith({ [limit]: '0060', [remaining]: '000' })).toEqual([]);
  });

  test('Remaining above Limit, compared exactly -> breach', () => {
    const around = fc.constantFrom(1n, 60n, 2n ** 31n, 2n ** 53n, 2n ** 63n);
    fc.assert(
      fc.property(around, fc.bigInt(0n, 3n), fc.bigInt(0n, 3n), (base, above, left) => {
        const [most, rest] = [base + above, base + left];
        const causes = causesWith({ [limit]: `${most}`, [remaining]: `${rest}` });
        expect(causes).toEqual(rest > most ? ['RATE-2: remaining-above-limit'] : []);
      }),
    );
  });

  test('Limit 0 -> breach, along with other problems', () => {
    expect(causesWith({ [limit]: '0', [remaining]: '0' })).toEqual(['RATE-2: limit-zero']);
    expect(causesWith({ [limit]: '0', [remaining]: '5', [reset]: 'soon' })).toEqual([
      'RATE-2: limit-zero',
      'RATE-2: remaining-above-limit',
      'RATE-2: header-malformed (X-RateLimit-Reset)',
    ]);
  });

  test('repeated header -> breach', () => {
    expect(causesOf({ lines: [[limit, '60']] })).toEqual(['RATE-2: header-malformed (X-RateLimit-Limit)']);
  });

  test('only one header present -> tested', () => {
    expect(causesWith({ [limit]: null, [remaining]: null, [reset]: '1' })).toContain('RATE-2: reset-past');
    expect(causesWith({ [limit]: null, [remaining]: null, [reset]: null })).toEqual([
      `RATE-1: header-missing (${[limit, remaining, reset].join(', ')} on 200)`,
    ]);
  });
});

describe('RATE-2: Reset', () => {
  test.each([
    [-3, ['RATE-2: reset-past']],
    [-2, []],
    [0, []],
    [60, []],
    [day, []],
    [day + 60, []],
    [day + 62, []],
    [day + 63, ['RATE-2: reset-far']],
    [30 * day, ['RATE-2: reset-far']],
  ])("%i s after the server's Date -> %j", (ahead, causes) => {
    expect(causesWith({ [reset]: `${now + ahead}` })).toEqual(causes);
  });

  test('no Date -> tested by its size only', () => {
    for (const value of ['1000000000', `${now - 500}`, '99999999999'])
      expect(causesWith({ Date: null, [reset]: value })).toEqual([]);
    for (const value of ['0', '60', '999999999', `${now * 1000}`])
      expect(causesWith({ Date: null, [reset]: value })).toEqual(['RATE-2: reset-unit']);
  });

  test.each([[httpDateOf(now + 60)], ['2026-03-01T12:01:00Z'], [`${now}.5`], ['-1'], ['']])(
    '%j -> malformed',
    (value) => {
      expect(causesWith({ [reset]: value })).toEqual(['RATE-2: header-malformed (X-RateLimit-Reset)']);
    },
  );
});

describe('RATE-2: a limit of a minute', () => {
  const beyond = 'RATE-2: reset-beyond-window';
  const findingsWith = (
    figure: string,
    ahead: number,
    { plan = 'business', ...response }: ResponseStub & { plan?: Plan | null } = {},
  ) => {
    const headers = { [limit]: figure, [remaining]: '0', [reset]: `${now + ahead}`, ...response.headers };
    return causesIn(
      findingsOf(listPets({}), { ...response, headers }, { ...serverModelAt(), plan: () => plan }),
    );
  };

  test('Reset more than 2 minutes ahead -> breach', () => {
    for (const ahead of [0, 60, 120]) expect(findingsWith('1000', ahead)).toEqual([]);
    for (const ahead of [121, 900, 86_400]) expect(findingsWith('1000', ahead)).toEqual([beyond]);
  });

  test('daily limit, unknown plan, or no Date -> no breach', () => {
    expect(findingsWith('100000', 86_400)).toEqual([]);
    expect(findingsWith('1000', 86_400, { plan: 'free' })).toEqual([]);
    expect(findingsWith('60', 900, { plan: 'free' })).toEqual([beyond]);
    for (const plan of [null, 'enterprise'] as const) expect(findingsWith('1000', 900, { plan })).toEqual([]);
    expect(findingsWith('1000', 900, { headers: { Date: null } })).toEqual([]);
  });

  test('429 or 404 -> no breach, because of a ban or another caller', () => {
    for (const status of [429, 404]) expect(findingsWith('1000', 900, { status })).not.toContain(beyond);
  });
});

describe('RATE-3', () => {
  const findingsWith = (
    plan: Plan | null,
    figure: string,
    status = 200,
    slot: 'main' | 'rate-limit' = 'main',
  ) => {
    const serverModel = { ...serverModelAt(), plan: (key: string) => (key === slot ? plan : null) };
    const headers = { [limit]: figure, [remaining]: '0' };
    return findingsOf(listPets({ credential: bearer(slot) }), { status, headers }, serverModel);
  };

  test.each([
    ['free', ['60', '1000']],
    ['pro', ['300', '10000']],
    ['business', ['1000', '100000']],
  ] as const)('plan %s -> breach unless the limit is that of its minute or day', (plan, allowed) => {
    for (const figure of ['59', '60', '61', '300', '1000', '10000', '100000', '9007199254740993']) {
      const findings = findingsWith(plan, figure);
      expect(causesIn(findings)).toEqual(
        allowed.some((each) => each === figure) ? [] : ['RATE-3: wrong-plan-limit'],
      );
      expect(passedIn(findings).includes('RATE-3')).toBe(allowed.some((each) => each === figure));
    }
  });

  test('another key or status -> tested with the plan of the key', () => {
    expect(causesIn(findingsWith('free', '300', 200, 'rate-limit'))).toEqual(['RATE-3: wrong-plan-limit']);
    expect(causesIn(findingsWith('free', '300', 429))).toEqual(['RATE-3: wrong-plan-limit']);
  });
});
