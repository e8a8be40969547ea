import type { Exchange } from '../http/exchange.ts';
import type { ParsedResponse } from '../http/parsed-response.ts';
import type { Probe } from '../oracle/probe.ts';
import type { Answered } from './crash-tracker.ts';

/**
 * Finds the creation since which lists fail: a store may keep a name that it cannot list. The creation itself looks fine, and every
 * failure after it points at the list.
 */
export interface ListBreakage {
  /** To be called for every response, in the order of arrival. */
  answered(answered: Answered): void;
  /** Null: lists never failed, or failed in another way. */
  culprit(): Exchange | null;
}

/** One failure may be an accident. */
const fewestFailures = 2;

const isOrdinaryList = ({ request, inputSpace }: Probe): boolean =>
  request.operation === 'listPets' && inputSpace === 'documented' && request.credential.charges !== null;

/** A creation that failed may be stored, too. */
const mayHaveStored = ({ request }: Probe, { status }: ParsedResponse): boolean =>
  request.operation === 'createPet' && (status === 201 || status >= 500);

/** What came after the first list that failed. */
interface Since {
  readonly creation: Exchange;
  failed: number;
  listed: number;
  /** Other requests were served: the server as a whole works. */
  others: number;
}

/** No list has failed yet. */
export const createListBreakage = (): ListBreakage => {
  let hasListed = false;
  let isDecided = false;
  let lastStored: Exchange | null = null;
  let since: Since | null = null;

  const beginAt = (list: Exchange): void => {
    isDecided = true;
    if (hasListed && lastStored !== null && lastStored.id < list.id)
      since = { creation: lastStored, failed: 1, listed: 0, others: 0 };
  };

  const noteList = ({ status, exchange }: ParsedResponse): void => {
    const fails = status >= 500;
    if (fails && !isDecided) beginAt(exchange);
    else if (since !== null && fails) since.failed += 1;
    else if (since !== null && status === 200) since.listed += 1;
    hasListed ||= status === 200;
  };

  return {
    answered: ({ probe, reading }) => {
      if (isOrdinaryList(probe)) noteList(reading);
      else if (since !== null && reading.status < 300) since.others += 1;
      if (mayHaveStored(probe, reading)) lastStored = reading.exchange;
    },
    culprit: () =>
      since !== null && since.failed >= fewestFailures && since.failed > since.listed && since.others > 0
        ? since.creation
        : null,
  };
};
