import type { Json, JsonObject } from '../../json/json.ts';
import type { Outcome, RecordedExchange, ServerFailure } from '../../run/outcome.ts';
import { objectsIn } from '../json-text.ts';

/** A failure of one requirement. */
export interface FailureOf {
  readonly requirement: string;
  readonly failure: ServerFailure;
}

/** The parts of an outcome that show bugs. */
export type Run = Pick<Outcome, 'requirements' | 'exchanges' | 'coverage'> &
  Partial<Pick<Outcome, 'endedCode'>>;

/** A failure, with all failures of its requirement, and the run. */
export interface Context extends FailureOf {
  readonly failures: readonly ServerFailure[];
  readonly run: Run;
}

/** A request with its response. */
export type Exchanged = Pick<RecordedExchange, 'request' | 'response'>;

/** The object that a request sent. */
export const sentObject = ({ request }: Exchanged): JsonObject => objectsIn(request.body)[0] ?? {};

/** The animals of a response. */
export const returnedAnimals = ({ response }: Exchanged): readonly JsonObject[] => objectsIn(response?.body);

export const firstReturned = (exchanged: Exchanged, name: string): Json | undefined =>
  returnedAnimals(exchanged)[0]?.[name];

/** Returns the value of a header, or null if it is absent. `wanted` is in lower case. */
export const headerIn = (headers: Readonly<Record<string, string>>, wanted: string): string | null =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1] ?? null;

export const queryOf = ({ request }: Exchanged, name: string): string | null =>
  URL.canParse(request.url) ? new URL(request.url).searchParams.get(name) : null;

/** The status of a failure, if the failure is about the status. */
export const wrongStatusOf = ({ problem }: ServerFailure): number | null =>
  'wrongStatus' in problem ? problem.wrongStatus : null;
