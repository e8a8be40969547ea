import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CreationPermit, createCreationAllowance } from './creation-allowance.ts';

const release = (reservation: CreationPermit, created: boolean | null) => {
  if (!reservation.granted) throw new Error(reservation.reason.code);
  reservation.release(created);
};
/** Resolves when no callback is pending that needs no time. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('creations: more than the limit -> not granted, with the limit', async () => {
  const allowance = createCreationAllowance(1, false);
  release(await allowance.reserve(null), true);
  expect(allowance.used).toBe(1);
  expect(await allowance.reserve(null)).toEqual({
    granted: false,
    reason: { code: 'max-creates', detail: 'most', most: 1 },
  });
});

const useUp = async (allowance: ReturnType<typeof createCreationAllowance>, refusedUnder: string | null) => {
  for (let count = 0; ; count += 1) {
    const reservation = await allowance.reserve(refusedUnder);
    if (!reservation.granted) return count;
    reservation.release(true);
  }
};

test('meant to create -> leaves room for requests that the server should refuse', async () => {
  for (const [most, wanted, refused] of [
    [1, 1, 0],
    [2, 1, 1],
    [5, 4, 1],
    [25, 20, 2],
    [200, 160, 16],
    [1_000, 800, 80],
  ] as const) {
    const allowance = createCreationAllowance(most, false);
    expect(await useUp(allowance, null)).toBe(wanted);
    expect(allowance.left).toBe(0);
    expect(await useUp(allowance, 'CREATE-6')).toBe(refused);
  }
});

test('a server that accepts what it should refuse -> leaves room for creations and for other requirements', async () => {
  const allowance = createCreationAllowance(200, false);
  expect(await useUp(allowance, 'CREATE-6')).toBe(16);
  expect(await useUp(allowance, 'CREATE-5')).toBe(12);
  expect(await useUp(allowance, 'AUTH-4')).toBe(1);
  expect(allowance.left).toBe(160);
  expect(await useUp(allowance, null)).toBe(160);
});

test('the reserve is nearly used up -> other requirements send one request at a time until one creates', async () => {
  const allowance = createCreationAllowance(200, false);
  for (const id of ['CREATE-5', 'CREATE-6', null]) await useUp(allowance, id);
  for (let count = 0; count < 50; count += 1) release(await allowance.reserve('AUTH-1'), false);
  const first = await allowance.reserve('AUTH-1');
  const second = allowance.reserve('AUTH-1');
  release(first, true);
  expect((await second).granted).toBe(false);
  expect(await useUp(allowance, 'AUTH-2')).toBe(1);
});

test('a reservation released twice -> the first result counts', async () => {
  const allowance = createCreationAllowance(1, false);
  const reservation = await allowance.reserve('CREATE-6');
  release(reservation, false);
  release(reservation, null);
  release(reservation, true);
  expect(allowance.used).toBe(0);
});

test('requests in flight may use up the rest -> others wait for their result', async () => {
  const allowance = createCreationAllowance(1, false);
  const first = await allowance.reserve('CREATE-6');
  const settled: CreationPermit[] = [];
  const waiting = [allowance.reserve('CREATE-6'), allowance.reserve('CREATE-6')].map((each) =>
    each.then((reservation) => settled.push(reservation)),
  );
  await settle();
  expect(settled).toEqual([]);
  release(first, false);
  await settle();
  expect(settled.map(({ granted }) => granted)).toEqual([true]);
  for (const reservation of settled) release(reservation, true);
  await Promise.all(waiting);
  expect(settled.map(({ granted }) => granted)).toEqual([true, false]);
});

test('read-only, or a limit of 0 -> not granted', async () => {
  const readOnly = createCreationAllowance(200, true);
  expect(await readOnly.reserve('CREATE-6')).toEqual({
    granted: false,
    reason: { code: 'read-only', detail: 'creation' },
  });
  expect((await createCreationAllowance(0, false).reserve('CREATE-6')).granted).toBe(false);
});

test('any results in any order -> never more animals than the limit, and every request gets a permit or a refusal', async () => {
  const outcome = fc.constantFrom(true, false, null);
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: 5 }),
      fc.array(fc.tuple(outcome, fc.nat({ max: 3 }), fc.constantFrom(null, 'AUTH-1', 'CREATE-6')), {
        maxLength: 20,
      }),
      async (most, requests) => {
        const allowance = createCreationAllowance(most, false);
        let [animals, denied] = [0, 0];
        await Promise.all(
          requests.map(async ([created, turns, purpose]) => {
            const reservation = await allowance.reserve(purpose);
            for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
            if (!reservation.granted) denied += 1;
            else if (created !== false) animals += 1;
            if (reservation.granted) reservation.release(created);
          }),
        );
        expect(animals).toBeLessThanOrEqual(most);
        expect(allowance.used).toBe(animals);
        if (denied > 0) expect(animals).toBeGreaterThan(most === 0 ? -1 : 0);
      },
    ),
  );
});

test('meant to create, late in a run -> may use what was kept for requests that the server should refuse', async () => {
  const allowance = createCreationAllowance(200, false);
  await useUp(allowance, 'CREATE-6');
  expect(await useUp(allowance, null)).toBe(160);
  expect((await allowance.reserve(null)).granted).toBe(false);
  for (let late = 0; late < 24; late += 1) release(await allowance.reserve(null, 'late'), true);
  expect(allowance.used).toBe(200);
  expect((await allowance.reserve(null, 'late')).granted).toBe(false);
});

test('shrinking -> creates a part of its own, and leaves room for what is meant to create', async () => {
  const allowance = createCreationAllowance(200, false);
  const shrink = () => allowance.reserve(null, 'shrinking');
  for (let tried = 0; tried < 28; tried += 1) release(await shrink(), true);
  expect((await shrink()).granted).toBe(false);
  expect(allowance.left).toBe(160);
  expect(await useUp(allowance, null)).toBe(160);
});

test('endReserves -> any request may use what is left, except what is kept', async () => {
  const allowance = createCreationAllowance(20, false);
  const create = async (refusedUnder: string | null): Promise<boolean> => {
    const permit = await allowance.reserve(refusedUnder);
    if (permit.granted) permit.release(true);
    return permit.granted;
  };
  while (await create('CREATE-6'));
  while (await create(null));
  expect(allowance.used).toBeLessThan(20);
  allowance.endReserves?.(1);
  while (await create('CREATE-6'));
  expect([allowance.used, allowance.left]).toEqual([19, 0]);
  allowance.endReserves?.(0);
  expect([allowance.left, await create(null), await create(null)]).toEqual([1, true, false]);
});
