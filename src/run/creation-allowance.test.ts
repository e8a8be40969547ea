import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCreationAllowance, type Reservation } from './creation-allowance.ts';

const settle = (reservation: Reservation, created: boolean | null) => {
  if (!reservation.granted) throw new Error(reservation.reason);
  reservation.settle(created);
};
/** All that can happen without time passing has happened. */
const quiet = () => new Promise((resolve) => setImmediate(resolve));

test('as many creations are granted as the run may make', async () => {
  const allowance = createCreationAllowance(2, false);
  for (let count = 0; count < 2; count += 1) settle(await allowance.reserve(false), true);
  expect(allowance.used).toBe(2);
  expect(await allowance.reserve(false)).toEqual({
    granted: false,
    reason: 'the run may create 2 animals at most (--max-creates)',
  });
});

test('what is meant to create leaves room for what is meant to be refused', async () => {
  for (const [most, wanted] of [
    [1, 1],
    [2, 1],
    [5, 4],
    [25, 20],
    [200, 160],
    [1_000, 960],
  ] as const) {
    const allowance = createCreationAllowance(most, false);
    for (let count = 0; count < wanted; count += 1) settle(await allowance.reserve(true), true);
    expect((await allowance.reserve(true)).granted).toBe(false);
    for (let count = wanted; count < most; count += 1) settle(await allowance.reserve(false), true);
    expect((await allowance.reserve(false)).granted).toBe(false);
  }
});

test('a request that created nothing costs nothing', async () => {
  const allowance = createCreationAllowance(1, false);
  for (let count = 0; count < 50; count += 1) settle(await allowance.reserve(false), false);
  expect(allowance.used).toBe(0);
  expect((await allowance.reserve(false)).granted).toBe(true);
});

test('an outcome that is not known counts as a creation', async () => {
  const allowance = createCreationAllowance(1, false);
  settle(await allowance.reserve(false), null);
  expect(allowance.used).toBe(1);
  expect((await allowance.reserve(false)).granted).toBe(false);
});

test('a reservation is settled once: what was known first holds', async () => {
  const allowance = createCreationAllowance(1, false);
  const reservation = await allowance.reserve(false);
  settle(reservation, false);
  settle(reservation, null);
  settle(reservation, true);
  expect(allowance.used).toBe(0);
});

test('while requests under way may use up the rest, others wait for what comes of them', async () => {
  const allowance = createCreationAllowance(1, false);
  const first = await allowance.reserve(false);
  const settled: Reservation[] = [];
  const waiting = [allowance.reserve(false), allowance.reserve(false)].map((each) =>
    each.then((reservation) => settled.push(reservation)),
  );
  await quiet();
  expect(settled).toEqual([]);
  settle(first, false);
  await quiet();
  expect(settled.map(({ granted }) => granted)).toEqual([true]);
  for (const reservation of settled) settle(reservation, true);
  await Promise.all(waiting);
  expect(settled.map(({ granted }) => granted)).toEqual([true, false]);
});

test('nothing is granted to a run that only reads, or may create none', async () => {
  const readOnly = createCreationAllowance(200, true);
  expect(await readOnly.reserve(false)).toEqual({
    granted: false,
    reason: 'nothing may be created (--read-only)',
  });
  expect((await createCreationAllowance(0, false).reserve(false)).granted).toBe(false);
});

test('whatever comes of whichever request when, the number of animals stays within bounds, and everybody is answered', async () => {
  const outcome = fc.constantFrom(true, false, null);
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: 5 }),
      fc.array(fc.tuple(outcome, fc.nat({ max: 3 })), { maxLength: 20 }),
      async (most, requests) => {
        const allowance = createCreationAllowance(most, false);
        let [created, refused] = [0, 0];
        await Promise.all(
          requests.map(async ([came, turns]) => {
            const reservation = await allowance.reserve(false);
            for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
            if (!reservation.granted) refused += 1;
            else if (came !== false) created += 1;
            if (reservation.granted) reservation.settle(came);
          }),
        );
        expect(created).toBeLessThanOrEqual(most);
        expect(allowance.used).toBe(created);
        if (refused > 0) expect(created).toBe(most);
      },
    ),
  );
});
