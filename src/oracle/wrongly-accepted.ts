import type { Probe } from '../finding/probe.ts';
import type { ParsedResponse } from '../http/parsed-response.ts';
import type { Json, JsonObject } from '../json/json.ts';
import { stringifyJson } from '../json/stringify.ts';
import { createCounter } from '../util/counter.ts';
import { petOf } from './pet.ts';

/** Tells whether an integer is so close to the bounds of int64 that rounding may move it beyond them. */
const overflowsWhenRounded = (value: Json | undefined): boolean =>
  typeof value === 'bigint' && Math.abs(Math.abs(Number(value)) / 2 ** 63 - 1) < 1e-6;

/** Tells whether the category came back rounded and is no longer an int64. CREATE-9 reports that mistake. */
export const isRounded = ({ sent }: Probe, pet: JsonObject): boolean =>
  overflowsWhenRounded(sent?.categoryId) &&
  overflowsWhenRounded(pet.categoryId) &&
  sent?.categoryId !== pet.categoryId;

const keyOf = (value: Json | undefined): string => stringifyJson(value ?? null);

/** Tells whether the body is invalid, or the category is no longer an int64 after it was rounded to a double. */
const mayBeWronglyAccepted = ({ request, inputSpace, sent }: Probe): boolean =>
  request.operation === 'createPet' &&
  (inputSpace === 'undocumented' || overflowsWhenRounded(sent?.categoryId));

/** Records animals from invalid bodies, or with rounded categories (CREATE-9). Rules do not report them again in other responses. */
export const createWronglyAccepted = () => {
  const ids = new Set<string>();
  /** Names in pending requests. */
  const pending = createCounter<string>();
  return {
    /** Records a request, because a list may show its animal before the response arrives. Call the returned function at its end. */
    sending: (probe: Probe): (() => void) =>
      mayBeWronglyAccepted(probe) ? pending.begin(keyOf(probe.sent?.name)) : () => {},
    responded: (probe: Probe, response: ParsedResponse): void => {
      if (!mayBeWronglyAccepted(probe) || response.status >= 300) return;
      const pet = petOf(response);
      if (pet?.id !== undefined && (probe.inputSpace === 'undocumented' || isRounded(probe, pet)))
        ids.add(keyOf(pet.id));
    },
    has: ({ id, name }: JsonObject): boolean =>
      (id !== undefined && ids.has(keyOf(id))) || pending.of(keyOf(name)) > 0,
  };
};
