import type { ApiDocument } from '../openapi/document.ts';
import type { Arrival } from '../oracle/requests/arrival.ts';
import { createReference } from '../reference/reference.ts';
import type { Clock } from '../time/clock.ts';
import type { Watched } from './findings.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import type { Scenario } from './scenarios.ts';

export interface PlayOptions {
  readonly scenario: Scenario;
  readonly clock: Clock;
  readonly random: () => number;
  readonly document: ApiDocument;
  readonly key: string;
  readonly nextId: () => number;
  readonly lastIdle?: () => number;
  readonly onArrival?: (arrival: Arrival) => void;
}

/** One start of a client in a scenario: the server, and what it sees. */
export interface Play {
  readonly scenario: Scenario;
  readonly recorder: Recorder;
  /** Enough was seen. */
  isOver(): boolean;
  /** `hasEnded`: the client ended by itself, so it sends nothing more. */
  watched(hasEnded: boolean): Watched;
}

/** Animals that a client finds in the store. */
const seedPets = 30;

const movedTo = (clock: Clock, now: string | undefined): Clock => {
  if (now === undefined) return clock;
  const offset = Date.parse(now) - clock.now();
  return { ...clock, now: () => clock.now() + offset };
};

/** Sets up the reference server of a scenario, with a recorder in front of it. */
export const createPlay = (options: PlayOptions): Play => {
  const { scenario, clock, random, key, ...others } = options;
  const patch = scenario.patch({ banned: (call) => recorder.banned(call.request) });
  const reference = createReference({
    clock: movedTo(clock, scenario.now),
    random,
    keys: [{ key, plan: 'business' }],
    seedPets,
    patches: [patch],
  });
  const recorder = createRecorder({
    ...others,
    clock,
    basePath: '/v1',
    respond: (request, _wire, connection) => reference.respond(request, connection),
  });
  return {
    scenario,
    recorder,
    isOver: () => scenario.isOver(recorder.arrivals(), clock.now()),
    watched: (hasEnded) => ({
      scenario: scenario.name,
      arrivals: recorder.arrivals(),
      key,
      silentUntil: hasEnded ? Number.POSITIVE_INFINITY : clock.now(),
      proves: scenario.proves,
    }),
  };
};
