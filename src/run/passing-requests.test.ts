import { expect, test } from 'vitest';

import { shareOf, variantOf } from '../check/header-variants.ts';
import { listPets } from '../check/requests.ts';
import type { Finding } from '../finding/finding.ts';
import type { Probe } from '../finding/probe.ts';
import type { ApiRequest } from '../http/exchange.ts';
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

test('pass log: many cases of one check -> the cases of another check are kept', () => {
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
const withoutAccept = requests.filter(isWithout);
const others = requests.filter((request) => !isWithout(request));

test('header variants are distinct, and their shares add up to 1', () => {
  const variants = new Set(requests.map(variantOf));
  expect(variants.size).toBe(5);
  const shares = [...variants].map((variant) => (variant === null ? 0 : shareOf(variant)));
  expect(shares.reduce((sum, share) => sum + share)).toBeCloseTo(1);
  expect(variantOf({ headers: [['Accept', 'text/html']] })).toBeNull();
});

test('common variant: all failing requests have it, no passing one -> named, for few or many failures', () => {
  expect(commonVariant(withoutAccept.slice(0, 1), others)?.phrase).toBe('without an Accept header');
  expect(commonVariant(withoutAccept.slice(0, 9), others.slice(0, 3))?.phrase).toBe(
    'without an Accept header',
  );
});

test('common variant: another variant fails, or this one passes -> none', () => {
  expect(commonVariant([...withoutAccept.slice(1), ...others.slice(0, 1)], others.slice(1))).toBeNull();
  expect(commonVariant(withoutAccept.slice(1), [...others, ...withoutAccept.slice(0, 1)])).toBeNull();
});

test('common variant: too few different requests -> none, because it may be chance', () => {
  expect(commonVariant(withoutAccept.slice(0, 1), others.slice(0, 20))).toBeNull();
  expect(commonVariant(Array(50).fill(withoutAccept[0]), others.slice(0, 3))).toBeNull();
  expect(commonVariant(withoutAccept, [])).toBeNull();
  expect(commonVariant([], others)).toBeNull();
});
