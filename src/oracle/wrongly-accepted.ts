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

/** What other workers of a run must know: such a request begins or ends, or the server has accepted one. */
export type AcceptedNews =
  | { readonly kind: 'begins' | 'ends'; readonly name: string }
  | { readonly kind: 'accepted'; readonly id: string };

/**
 * Records animals from invalid bodies, or with rounded categories (CREATE-9). Rules do not report them again in other responses. `tell`
 * passes on to other workers what they must know, because their lists show these animals, too.
 */
export const createWronglyAccepted = (tell: (news: AcceptedNews) => void = () => undefined) => {
  const ids = new Set<string>();
  /** Those of other workers. */
  const endsOfOthers = new Map<string, (() => void)[]>();
  /** Names in pending requests. */
  const pending = createCounter<string>();
  return {
    /** Records a request, because a list may show its animal before the response arrives. Call the returned function at its end. */
    sending: (probe: Probe): (() => void) => {
      if (!mayBeWronglyAccepted(probe)) return () => {};
      const name = keyOf(probe.sent?.name);
      const end = pending.begin(name);
      tell({ kind: 'begins', name });
      return () => {
        end();
        tell({ kind: 'ends', name });
      };
    },
    responded: (probe: Probe, response: ParsedResponse): void => {
      if (!mayBeWronglyAccepted(probe) || response.status >= 300) return;
      const pet = petOf(response);
      if (pet?.id === undefined || !(probe.inputSpace === 'undocumented' || isRounded(probe, pet))) return;
      const id = keyOf(pet.id);
      ids.add(id);
      tell({ kind: 'accepted', id });
    },
    /** Records what another worker tells. */
    hear: (news: AcceptedNews): void => {
      if (news.kind === 'accepted') ids.add(news.id);
      else if (news.kind === 'begins')
        endsOfOthers.set(news.name, [...(endsOfOthers.get(news.name) ?? []), pending.begin(news.name)]);
      else endsOfOthers.get(news.name)?.pop()?.();
    },
    has: ({ id, name }: JsonObject): boolean =>
      (id !== undefined && ids.has(keyOf(id))) || pending.of(keyOf(name)) > 0,
  };
};
