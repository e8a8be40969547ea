import type { Operation } from '../../src/check/document.ts';
import type { CaseReason } from '../../src/check/index.ts';
import { UnsatisfiableSchema, UnsupportedKeyword } from '../../src/check/schemas.ts';
import { nameOf } from './operations.ts';

/** Returns what `make` makes. If the document has a part for it that the suite does not support, returns what `otherwise` does. */
export const ifSupported = <Value, Other>(
  make: () => Value,
  otherwise: (problem: Error) => Other,
): Value | Other => {
  try {
    return make();
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    return otherwise(error);
  }
};

/** The suite does not support a part of the document. */
export const isUnsupported = (error: unknown): error is Error =>
  error instanceof UnsupportedKeyword || error instanceof UnsatisfiableSchema;

type Made<Value> = { readonly value: Value; readonly reason: null } | { readonly reason: CaseReason };

/** An unsupported part of the document makes only its own operation inconclusive. */
export const orReason = <Value>(
  { operation }: { readonly operation: Operation },
  make: () => Value,
): Made<Value> =>
  ifSupported(
    (): Made<Value> => ({ value: make(), reason: null }),
    ({ message: problem }) => ({
      reason: { code: 'not-documented', detail: 'schema', operation: nameOf(operation), problem },
    }),
  );
