import type { Credential } from '../../../src/check/credentials.ts';
import {
  type CheckContext,
  createPet,
  type Expectation,
  getPet,
  listOrders,
  listPets,
  type Probe,
  type RunContext,
} from '../../../src/check/index.ts';
import { idOf } from '../../../src/check/pets.ts';
import { ordinaryPet } from './animals.ts';

export const operations = ['listPets', 'createPet', 'getPet', 'listOrders'] as const;
export type OperationName = (typeof operations)[number];

/** The operations on which authentication is tested: not getPet from its removal on. */
export const testedOperations = ({ removalState }: RunContext): readonly OperationName[] =>
  operations.filter((name) => name !== 'getPet' || removalState() === 'before');

/** Each part on every operation on which authentication is tested. */
export const forEachOperation = <Part extends object>(
  run: RunContext,
  parts: readonly Part[],
): readonly (Part & { readonly operation: OperationName })[] =>
  parts.flatMap((part) => testedOperations(run).map((operation) => ({ ...part, operation })));

/** Each part on one operation, in turn: for mistakes that few servers make. */
export const distributed = <Part extends object>(
  run: RunContext,
  parts: readonly Part[],
): readonly (Part & { readonly operation: OperationName })[] => {
  const among = testedOperations(run);
  return parts.flatMap((part, index) => {
    const operation = among[index % among.length];
    return operation === undefined ? [] : [{ ...part, operation }];
  });
};

/** A valid request of an operation, except for the credential. */
export const plainProbe = (
  context: CheckContext,
  operation: OperationName,
  options: { readonly credential: Credential; readonly expects: readonly Expectation[] },
): Probe => {
  switch (operation) {
    case 'listPets':
      return listPets(options);
    case 'createPet':
      return createPet(ordinaryPet(context), options);
    case 'getPet':
      return getPet(someId(context.run), options);
    case 'listOrders':
      return listOrders(options);
  }
};

/** An id that exists as far as the run knows, otherwise 1. */
export const someId = ({ created, initialList }: RunContext): bigint => {
  const own = created()[0]?.id;
  const [listed] = initialList.map(idOf).filter((id) => id !== null);
  return own ?? listed ?? 1n;
};
