import { type Finding, inconclusive, undecidedByCut } from '../../finding/finding.ts';
import type { Listing } from '../../finding/probe.ts';
import { excerpt } from '../../json/excerpt.ts';
import type { JsonObject } from '../../json/json.ts';
import { pageBounds } from '../document-figures.ts';
import { idOf, isPrivateCategory, petsRead } from '../pet.ts';
import { breach, originOf, passed, type Rule, type RuleSubject } from '../rule.ts';

/** LIST-2, LIST-3, LIST-5, LIST-6, LIST-9, and rejected creations, for every list. */
export const list: Rule = (subject) => {
  const { probe, response } = subject;
  if (probe.listing === undefined || response.status !== 200) return [];
  const pets = petsRead(response);
  if (pets === null) return invalidQuery(subject, probe.listing);
  return [
    ...pageSize(subject, probe.listing, pets.length),
    ...filter(subject, probe.listing),
    ...distinct(subject),
    ...rejectedPets(subject),
  ];
};

/** LIST-5, LIST-7: an accepted query gets a list. */
const invalidQuery = (subject: RuleSubject, { limit, status }: Listing): readonly Finding[] => {
  const requirement =
    limit.kind === 'unspecified' ? 'LIST-5' : status.kind === 'unspecified' ? 'LIST-7' : null;
  const { body } = subject.response;
  const error = subject.serverModel.document.schemas.Error;
  if (requirement === null || body.kind !== 'json' || error === undefined) return [];
  // Any other wrong body is tested by GEN-2 and GEN-3.
  if (subject.serverModel.validator(error)(body.value).length > 0) return [];
  return [breach(subject, requirement, { rule: 'error-with-200', body: excerpt(body.text) })];
};

const pageSize = (subject: RuleSubject, { limit }: Listing, length: number): readonly Finding[] => {
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
  // A shorter list decides only if the store has more animals than the limit.
  const decides = length === most || subject.serverModel.storeSize > most;
  if (requirement === 'LIST-5') return [passed(requirement)];
  if (decides && probeIsUnfiltered(subject)) return [passed(requirement)];
  return [inconclusive(requirement, { code: 'store-too-small', more: most })];
};

/** Passed, unless the list was cut, because its rest may still be a breach. */
const passedIfWhole = ({ response: { body } }: RuleSubject, requirement: string): Finding =>
  body.kind === 'cut' ? undecidedByCut(requirement, body) : passed(requirement);

const probeIsUnfiltered = ({ probe }: RuleSubject): boolean => probe.listing?.status.kind === 'absent';

const filter = (subject: RuleSubject, { status }: Listing): readonly Finding[] => {
  if (status.kind !== 'given') return [];
  const pets = petsRead(subject.response) ?? [];
  const others = pets.filter((pet) => pet.status !== status.value);
  const [other] = others;
  if (other === undefined) return pets.length > 0 ? [passedIfWhole(subject, 'LIST-6')] : [];
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

const distinct = (subject: RuleSubject): readonly Finding[] => {
  const ids = (petsRead(subject.response) ?? []).map(idOf);
  const seen = new Set<bigint>();
  const duplicates = new Set<bigint>();
  for (const id of ids) if (id !== null) (seen.has(id) ? duplicates : seen).add(id);
  const [duplicate, ...others] = duplicates;
  if (duplicate === undefined) return seen.size > 1 ? [passedIfWhole(subject, 'LIST-9')] : [];
  const first = ids.indexOf(duplicate);
  const items = [first + 1, ids.indexOf(duplicate, first + 1) + 1] as const;
  return [
    breach(
      subject,
      'LIST-9',
      { rule: 'duplicate-id', id: duplicate, items, count: ids.length, others },
      { origin: originOf(subject, [duplicate]) },
    ),
  ];
};

/** Returns the member that identifies an animal. A private category is safer than a name, which the server may have made. */
const identifyingMember = ({ categoryId }: JsonObject): 'name' | 'categoryId' =>
  typeof categoryId === 'bigint' && isPrivateCategory(categoryId) ? 'categoryId' : 'name';

/** AUTH-5, CREATE-8: a rejected creation stores nothing. */
const rejectedPets = (subject: RuleSubject): readonly Finding[] => {
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
        { rule: 'stored-after-refusal', status, knownBy: identifyingMember(pet), animal: pet },
        // The failure is about the creation, not about the list that shows it, so other lists are not passing counterparts.
        { origin: [refusal.exchange], about: { kind: 'probe', probe: refusal.probe }, beside: [] },
      ),
    );
  }
  return [...findings.values()];
};
