import { excerpt } from '../../json/excerpt.ts';
import type { JsonObject } from '../../json/json.ts';
import { pageBounds } from '../document-figures.ts';
import { type Finding, inconclusive, undecidedByCut } from '../finding.ts';
import { idOf, isPrivateCategory, petsRead } from '../pet.ts';
import type { Listing } from '../probe.ts';
import { breach, type Judged, originOf, passed, type Rule } from '../rule.ts';

/** LIST-2, LIST-3, LIST-5, LIST-6, LIST-9 and the refused names, on every list that comes back. */
export const list: Rule = (subject) => {
  const { probe, response } = subject;
  if (probe.listing === undefined || response.status !== 200) return [];
  const pets = petsRead(response);
  if (pets === null) return invalidQuery(subject, probe.listing);
  return [
    ...pageSize(subject, probe.listing, pets.length),
    ...filter(subject, probe.listing),
    ...distinct(subject),
    ...refused(subject),
  ];
};

/** LIST-5, LIST-7: what is not refused is answered with a list. */
const invalidQuery = (subject: Judged, { limit, status }: Listing): readonly Finding[] => {
  const requirement =
    limit.kind === 'unspecified' ? 'LIST-5' : status.kind === 'unspecified' ? 'LIST-7' : null;
  const { body } = subject.response;
  const error = subject.serverModel.document.schemas.Error;
  if (requirement === null || body.kind !== 'json' || error === undefined) return [];
  // Any other body is as wrong in responses to valid queries: GEN-2 and GEN-3 say so.
  if (subject.serverModel.validator(error)(body.value).length > 0) return [];
  return [breach(subject, requirement, { rule: 'error-with-200', body: excerpt(body.text) })];
};

const pageSize = (subject: Judged, { limit }: Listing, length: number): readonly Finding[] => {
  const bounds = pageBounds(subject.serverModel.document);
  const allowed =
    limit.kind === 'given'
      ? ({ requirement: 'LIST-3', most: limit.value, why: 'limit' } as const)
      : limit.kind === 'absent'
        ? ({ requirement: 'LIST-2', most: bounds.default, why: 'default' } as const)
        : ({ requirement: 'LIST-5', most: bounds.maximum, why: 'maximum' } as const);
  const { requirement, most, why } = allowed;
  if (length > most) {
    return [
      breach(subject, requirement, {
        rule: 'too-many-items',
        most,
        why,
        count: length,
        isCut: subject.response.body.kind === 'cut',
      }),
    ];
  }
  const { body } = subject.response;
  if (body.kind === 'cut') return [undecidedByCut(requirement, body)];
  // A short list means something only where the store holds more than the limit lets through.
  const decides = length === most || subject.serverModel.storeSize > most;
  if (requirement === 'LIST-5') return [passed(requirement)];
  if (decides && probeIsUnfiltered(subject)) return [passed(requirement)];
  return [inconclusive(requirement, { code: 'store-too-small', more: most })];
};

/** The rest of a list that was cut may breach what the part that was read does not. */
const metIfWhole = ({ response: { body } }: Judged, requirement: string): Finding =>
  body.kind === 'cut' ? undecidedByCut(requirement, body) : passed(requirement);

const probeIsUnfiltered = ({ probe }: Judged): boolean => probe.listing?.status.kind === 'absent';

const filter = (subject: Judged, { status }: Listing): readonly Finding[] => {
  if (status.kind !== 'given') return [];
  const pets = petsRead(subject.response) ?? [];
  const others = pets.filter((pet) => pet.status !== status.value);
  const [other] = others;
  if (other === undefined) return pets.length > 0 ? [metIfWhole(subject, 'LIST-6')] : [];
  return [
    breach(subject, 'LIST-6', {
      rule: 'wrong-filter',
      status: status.value,
      others: others.length,
      count: pets.length,
      example: other,
    }),
  ];
};

const distinct = (subject: Judged): readonly Finding[] => {
  const ids = (petsRead(subject.response) ?? []).map(idOf);
  const seen = new Set<bigint>();
  const again = new Set<bigint>();
  for (const id of ids) if (id !== null) (seen.has(id) ? again : seen).add(id);
  const [twice, ...others] = again;
  if (twice === undefined) return seen.size > 1 ? [metIfWhole(subject, 'LIST-9')] : [];
  const first = ids.indexOf(twice);
  const items = [first + 1, ids.indexOf(twice, first + 1) + 1] as const;
  return [
    breach(
      subject,
      'LIST-9',
      { rule: 'duplicate-id', id: twice, items, count: ids.length, others },
      { origin: originOf(subject, [twice]) },
    ),
  ];
};

/** What an animal is known again by: its name may be one that the server made. */
const markOf = ({ categoryId }: JsonObject): 'name' | 'categoryId' =>
  typeof categoryId === 'bigint' && isPrivateCategory(categoryId) ? 'categoryId' : 'name';

/** AUTH-5, CREATE-8: what was refused is not stored. */
const refused = (subject: Judged): readonly Finding[] => {
  const findings = new Map<string, Finding>();
  for (const pet of petsRead(subject.response) ?? []) {
    const refusal = subject.serverModel.refusalOf(pet, subject.sequence);
    if (refusal === null) continue;
    const { status } = refusal;
    const requirement = status === 401 ? 'AUTH-5' : 'CREATE-8';
    if (findings.has(requirement)) continue;
    findings.set(
      requirement,
      breach(
        subject,
        requirement,
        { rule: 'stored-after-refusal', status, knownBy: markOf(pet), animal: pet },
        // The request that is wrong is not the list, which has shown it, and lists that do not are no comparison.
        { origin: [refusal.exchange], about: { kind: 'probe', probe: refusal.probe }, beside: [] },
      ),
    );
  }
  return [...findings.values()];
};
