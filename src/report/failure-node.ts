import type { RecordedExchange } from '../run/outcome.ts';
import type { FailureOf } from './bugs/context.ts';
import type { LikelyBug } from './likely-bugs.ts';

/** A failure with the recorded exchanges that show it. */
export interface Node extends FailureOf {
  /** Null if none is recognized. */
  readonly bug: LikelyBug | null;
  readonly exchanges: readonly RecordedExchange[];
  /** The recorded exchange that created its animal, or the first one before it; null: there is none, or it is not recorded. */
  readonly origin: number | null;
  /** Recorded exchanges of the operation with the same status that do not break the requirement. */
  readonly passing: readonly RecordedExchange[];
}

/** Whether one failure shows the same bug as another one, or explains it completely. */
export type Explains = (cause: Node, effect: Node) => boolean;

/** Whether both have the same names, and at least one. */
export const isSame = (some: readonly string[] = [], others: readonly string[] = []): boolean =>
  some.length > 0 && some.length === others.length && some.every((name) => others.includes(name));
