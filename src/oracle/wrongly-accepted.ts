import type { ParsedResponse } from '../http/parsed-response.ts';
import type { Json, JsonObject } from '../json/json.ts';
import { stringifyJson } from '../json/stringify.ts';
import { createCounter } from '../util/counter.ts';
import { petOf } from './pet.ts';
import { isRounded, roundsBeyondInt64 } from './precision.ts';
import type { Probe } from './probe.ts';

/** Keeps the animals that a server made of invalid bodies, or of categories that it rounds (CREATE-9): how they are shown is no measure of its other answers. */
export interface WronglyAccepted {
  /** A request is sent; a list that comes back before its answer may show the animal already. Gives what says that it is over. */
  sending(probe: Probe): () => void;
  answered(probe: Probe, reading: ParsedResponse): void;
  has(animal: JsonObject): boolean;
}

const keyOf = (value: Json | undefined): string => stringifyJson(value ?? null);

/** A creation whose body the document does not allow, or whose category no int64 is once it has passed through a double. */
const mayBeWronglyAccepted = ({ request, inputSpace, sent }: Probe): boolean =>
  request.operation === 'createPet' && (inputSpace === 'undocumented' || roundsBeyondInt64(sent?.categoryId));

/** Starts with nothing taken. */
export const createTakenAmiss = (): WronglyAccepted => {
  const ids = new Set<string>();
  /** Names under which animals may come to stand, by the requests that may bring them. */
  const awaited = createCounter<string>();
  return {
    sending: (probe) => (mayBeWronglyAccepted(probe) ? awaited.begin(keyOf(probe.sent?.name)) : () => {}),
    answered: (probe, reading) => {
      if (!mayBeWronglyAccepted(probe) || reading.status >= 300) return;
      const pet = petOf(reading);
      if (pet?.id !== undefined && (probe.inputSpace === 'undocumented' || isRounded(probe, pet)))
        ids.add(keyOf(pet.id));
    },
    has: ({ id, name }) => (id !== undefined && ids.has(keyOf(id))) || awaited.of(keyOf(name)) > 0,
  };
};
