import { expect, test } from 'vitest';

import { shareOf, variantOf } from '../check/header-variants.ts';
import { listPets } from '../check/requests.ts';
import type { ApiRequest } from '../http/exchange.ts';
import type { Finding } from '../oracle/finding.ts';
import type { Probe } from '../oracle/probe.ts';
import { passed } from '../oracle/rule.ts';
import { commonVariant, createPassLog, type PassedCase } from './passing-requests.ts';

const { request } = listPets({ limit: 7 });
const probeOf = (label: string): Probe => ({ ...listPets({ limit: 7 }), label });
const passOf = (label: string, findings: readonly Finding[] = [passed('LIST-3')]): PassedCase => ({
  request,
  findings,
  status: 200,
  about: () => ({ kind: 'probe', probe: probeOf(label) }),
});
const labelsOf = (passes: ReturnType<typeof createPassLog>) =>
  passes.passing('LIST-3', request).map((pass) => {
    const about = pass.about();
    return about.kind === 'probe' ? about.probe.label : null;
  });

test('are kept of each check, however many another one makes', () => {
  const passes = createPassLog();
  for (let count = 0; count < 1_000; count += 1) passes.add('many', passOf(`many ${count}`));
  passes.add('few', passOf('few'));
  const labels = labelsOf(passes);
  expect(labels).toHaveLength(201);
  expect(labels.at(-1)).toBe('few');
});

const requests: readonly ApiRequest[] = Array.from(
  { length: 400 },
  (_, limit) => listPets({ limit }).request,
);
const isWithout = ({ omits = [] }: ApiRequest): boolean => omits.includes('Accept');
const without = requests.filter(isWithout);
const others = requests.filter((request) => !isWithout(request));

test('each way is told from the others, and has its share of all requests', () => {
  const ways = new Set(requests.map(variantOf));
  expect(ways.size).toBe(5);
  const shares = [...ways].map((way) => (way === null ? 0 : shareOf(way)));
  expect(shares.reduce((sum, share) => sum + share)).toBeCloseTo(1);
  expect(variantOf({ headers: [['Accept', 'text/html']] })).toBeNull();
});

test('what breaches in one way only is told, with few breaches or with many', () => {
  expect(commonVariant(without.slice(0, 1), others)?.inWords).toBe('without an Accept header');
  expect(commonVariant(without.slice(0, 9), others.slice(0, 3))?.inWords).toBe('without an Accept header');
});

test('not where another way breaches as well, or the same one passes', () => {
  expect(commonVariant([...without.slice(1), ...others.slice(0, 1)], others.slice(1))).toBeNull();
  expect(commonVariant(without.slice(1), [...others, ...without.slice(0, 1)])).toBeNull();
});

test('nor where it may be by chance: few requests, or the same ones again', () => {
  expect(commonVariant(without.slice(0, 1), others.slice(0, 20))).toBeNull();
  expect(commonVariant(Array(50).fill(without[0]), others.slice(0, 3))).toBeNull();
  expect(commonVariant(without, [])).toBeNull();
  expect(commonVariant([], others)).toBeNull();
});
