import type { Probe } from '../finding/probe.ts';
import type { ParsedResponse } from '../http/parsed-response.ts';
import type { JsonObject } from '../json/json.ts';
import { isPrivateCategory } from '../oracle/pet.ts';
import type { Refusal } from '../oracle/rule.ts';
import { createCounter } from '../util/counter.ts';

interface CreationResponse {
  readonly probe: Probe;
  readonly response: ParsedResponse;
  /** The latest sequence number when the response was complete. */
  readonly sequenceAtEnd: number;
}

/** What identifies an animal: its name, or a category that probably nobody else uses. */
type Fingerprint = string | bigint;

interface SeenRefusal extends Refusal {
  readonly sequenceAtEnd: number;
}

const fingerprintsOf = ({ name, categoryId }: JsonObject): readonly Fingerprint[] => [
  ...(typeof name === 'string' ? [name] : []),
  ...(typeof categoryId === 'bigint' && isPrivateCategory(categoryId) ? [categoryId] : []),
];

/** Rejected animals are looked for in the lists that follow soon. */
const maxRefusals = 5_000;

/** Remembers the animals that the server refused to create: later responses must not show them. */
export const createRefusedAnimals = () => {
  const refusals = new Map<Fingerprint, SeenRefusal>();
  const seen = new Set<Fingerprint>();
  /** Creations that are not over: what one of them stores says nothing about the refusal of another. */
  const pending = createCounter<Fingerprint>();

  const add = (fingerprint: Fingerprint, { probe, response, sequenceAtEnd }: CreationResponse): void => {
    // It is pending itself.
    const isAlone = pending.of(fingerprint) <= 1;
    if (probe.mayBeTaken === true || seen.has(fingerprint) || !isAlone) return;
    refusals.set(fingerprint, {
      status: response.status,
      exchange: response.exchange,
      probe,
      sequenceAtEnd,
    });
    const [oldest] = refusals.keys();
    if (refusals.size > maxRefusals && oldest !== undefined) refusals.delete(oldest);
  };

  return {
    /** A creation is about to be sent. The functions are to be called when it is over. */
    sending: (pet: JsonObject): readonly (() => void)[] => {
      const fingerprints = fingerprintsOf(pet);
      for (const fingerprint of fingerprints) refusals.delete(fingerprint);
      return fingerprints.map(pending.begin);
    },
    /** A creation got a response. */
    responded: (observed: CreationResponse): void => {
      const { status } = observed.response;
      const fingerprints = fingerprintsOf(observed.probe.sent ?? {});
      const [fingerprint] = fingerprints;
      if (fingerprint !== undefined && (status === 400 || status === 401)) add(fingerprint, observed);
      else for (const each of fingerprints) refusals.delete(each);
    },
    /** A response showed the animal. */
    shown: (pet: JsonObject): void => {
      for (const fingerprint of fingerprintsOf(pet)) seen.add(fingerprint);
    },
    /** The refusal of an animal like this one, before the request of this number; null: there is none. */
    like: (pet: JsonObject, sequence: number): Refusal | null => {
      for (const fingerprint of fingerprintsOf(pet)) {
        const refusal = refusals.get(fingerprint);
        if (refusal !== undefined && refusal.sequenceAtEnd < sequence) return refusal;
      }
      return null;
    },
  };
};
