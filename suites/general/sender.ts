import type { Credential } from '../../src/client/exchange.ts';
import type { Expectation, Probe } from '../../src/oracle/probe.ts';
import type { Reading } from '../../src/oracle/reading.ts';
import type { CaseContext } from '../../src/run/check.ts';
import { type Existing, nothingFound } from './existing.ts';
import { type Exercised, hasPathParameters } from './operations.ts';
import { type Sending, toProbe } from './request.ts';

interface Meaning {
  readonly space: Probe['space'];
  readonly credential?: Credential;
  readonly expects?: readonly Expectation[];
}

/** Sends a request where it is aimed at; ends the case where there is nothing to aim at. */
export type Sender = (
  exercised: Exercised,
  sending: Sending,
  context: CaseContext,
  meaning: Meaning,
) => Promise<Reading>;

export const senderOver =
  (existing: Existing): Sender =>
  async (exercised, sending, context, meaning) => {
    const { operation, mayGuess } = exercised;
    const isAimed = hasPathParameters(operation) && sending.aim !== 'made up';
    const found = isAimed ? await existing.find(exercised, context) : null;
    if (isAimed && found === null && (sending.aim === 'existing' || !mayGuess))
      return context.end(nothingFound(exercised));
    return context.send(toProbe(exercised, sending, { ...meaning, found }));
  };
