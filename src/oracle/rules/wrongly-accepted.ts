import { isJsonObject, type Json } from '../../json/json.ts';
import type { SchemaProblem } from '../../json-schema/compile.ts';
import { isRounded } from '../precision.ts';
import type { Judged } from '../rule.ts';

/** The place of a problem that may come of what was sent: an animal, or a member of it that the server did not choose. */
const placeOf = (pointer: string, inList: boolean): { readonly index: number } | null => {
  const [, index = '0', member = ''] =
    (inList ? /^\/(\d+)(?:\/([^/]*).*)?$/ : /^()(?:\/([^/]*).*)?$/).exec(pointer) ?? [];
  const isFound = !inList || pointer !== '';
  return isFound && member !== 'id' ? { index: Number(index) } : null;
};

/** A server that accepts an invalid body (CREATE-5 to CREATE-7) also shows its values in other responses: that is not another breach. */
export const withoutWronglyAccepted = (
  { probe, response, serverModel }: Judged,
  value: Json,
  problems: readonly SchemaProblem[],
): readonly SchemaProblem[] => {
  if (problems.length === 0 || response.status >= 300) return problems;
  const { operation } = probe.request;
  const inList = operation === 'listPets' && Array.isArray(value);
  const isWronglyAccepted = (index: number): boolean => {
    const animal = inList ? value[index] : value;
    if (!isJsonObject(animal)) return false;
    if (operation === 'createPet') return probe.inputSpace === 'undocumented' || isRounded(probe, animal);
    return serverModel.wasWronglyAccepted(animal);
  };
  return problems.filter(({ pointer }) => {
    const place = placeOf(pointer, inList);
    return place === null || !isWronglyAccepted(place.index);
  });
};
