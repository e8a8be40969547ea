import type { ParsedResponse } from '../http/parsed-response.ts';
import type { Json, JsonObject } from '../json/json.ts';
import { stringifyJson } from '../json/stringify.ts';
import { createCounter } from '../util/counter.ts';
import { petOf } from './pet.ts';
import type { Probe } from './probe.ts';

/** An integer so near to the bounds of int64 that it may stand beyond them once it is rounded, to a double or to fewer digits. */
const overflowsWhenRounded = (value: Json | undefined): boolean =>
  typeof value === 'bigint' && Math.abs(Math.abs(Number(value)) / 2 ** 63 - 1) < 1e-6;

/** The category came back through a double, and is no int64 any more: one mistake, which CREATE-9 tells. */
export const isRounded = ({ sent }: Probe, pet: JsonObject): boolean =>
  overflowsWhenRounded(sent?.categoryId) &&
  overflowsWhenRounded(pet.categoryId) &&
  sent?.categoryId !== pet.categoryId;

/** Remembers the animals that a server made of invalid bodies, or of categories that it rounds (CREATE-9): other responses are not compared with them. */
export interface WronglyAccepted {
  /** A request is sent: a list may show the animal before the response comes. Returns the function to call when the request is over. */
  sending(probe: Probe): () => void;
  answered(probe: Probe, response: ParsedResponse): void;
  has(animal: JsonObject): boolean;
}

const keyOf = (value: Json | undefined): string => stringifyJson(value ?? null);

/** The document does not allow its body, or its category is not an int64 after it has passed through a double. */
const mayBeWronglyAccepted = ({ request, inputSpace, sent }: Probe): boolean =>
  request.operation === 'createPet' &&
  (inputSpace === 'undocumented' || overflowsWhenRounded(sent?.categoryId));

/** Nothing was wrongly accepted yet. */
export const createWronglyAccepted = (): WronglyAccepted => {
  const ids = new Set<string>();
  /** Names that pending requests may store. */
  const pending = createCounter<string>();
  return {
    sending: (probe) => (mayBeWronglyAccepted(probe) ? pending.begin(keyOf(probe.sent?.name)) : () => {}),
    answered: (probe, response) => {
      if (!mayBeWronglyAccepted(probe) || response.status >= 300) return;
      const pet = petOf(response);
      if (pet?.id !== undefined && (probe.inputSpace === 'undocumented' || isRounded(probe, pet)))
        ids.add(keyOf(pet.id));
    },
    has: ({ id, name }) => (id !== undefined && ids.has(keyOf(id))) || pending.of(keyOf(name)) > 0,
  };
};
