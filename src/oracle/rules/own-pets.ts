import { type Breach, type Finding, observation } from '../../finding/finding.ts';
import type { Json, JsonObject } from '../../json/json.ts';
import { stringifyJson } from '../../json/stringify.ts';
import { pageBounds } from '../document-figures.ts';
import { isWhole, missingFromPage } from '../paging.ts';
import { idInPath, idOf, isSameName, listedPets, petMembers, petOf } from '../pet.ts';
import { breach, type OwnPet, originOf, type Rule, type RuleSubject } from '../rule.ts';

/** A replica, or a list compared with getPet, may lag for 2 s (LIST-8). */
export const replicaLagMs = 2_100;

/**
 * GET-1, LIST-8: an animal of the run stays as it was created, in every list and in getPet. Its status may change (GET-7) but not
 * disappear. Only the main key counts, because another key may have a separate store.
 */
export const ownPets: Rule = (subject) => {
  const { operation, credential } = subject.probe.request;
  if (credential.chargedTo !== 'main') return [];
  if (operation === 'listPets') return inList(subject);
  return operation === 'getPet' ? inGetPet(subject) : [];
};

const inList = (subject: RuleSubject): readonly Finding[] => {
  const pets = subject.response.status === 200 ? listedPets(subject.response) : null;
  if (pets === null) return [];
  return [
    ...changedIn(subject, pets),
    ...missingFrom(subject, pets),
    ...pets.flatMap((pet) => transition(subject, pet)),
  ];
};

/** Tells whether a member is as it was created, or changed in a permitted way. */
const isPermitted = (member: (typeof petMembers)[number], was: JsonObject, is: JsonObject): boolean => {
  const [before, now] = [was[member], is[member]];
  if (member === 'status') return before === undefined || now !== undefined;
  return typeof before === 'string' && member === 'name' ? isSameName(before, now) : now === before;
};

/** GET-7: records a status of an own animal that differs from the previous response. */
const transition = ({ serverModel, sequence }: RuleSubject, pet: JsonObject): readonly Finding[] => {
  const id = idOf(pet);
  const before = id === null ? null : serverModel.statusShown(id, sequence);
  if (before === null || before.status === pet.status) return [];
  return [observation('GET-7', statusSubject, `${statusText(before.status)} to ${statusText(pet.status)}`)];
};

/** The subject of the observations of GET-7. */
export const statusSubject = 'status after the creation';

const statusText = (status: Json | undefined): string =>
  typeof status === 'string' ? status : status === undefined ? 'none' : stringifyJson(status);

/** Returns the first member that differs from the creation. Ignores an animal that violates the schema, which GEN-3 reports. */
const differingMember = ({ serverModel }: RuleSubject, was: JsonObject, is: JsonObject) => {
  const member = petMembers.find((each) => !isPermitted(each, was, is));
  const schema = serverModel.document.schemas.Pet;
  const isPet =
    schema === undefined || member === undefined || serverModel.validator(schema)(is).length === 0;
  return isPet ? member : undefined;
};

const changedIn = (subject: RuleSubject, pets: readonly JsonObject[]): readonly Finding[] => {
  for (const pet of pets) {
    const id = idOf(pet);
    const own = id === null ? null : subject.serverModel.ownPet(id);
    const member = own === null ? undefined : differingMember(subject, own.pet, pet);
    if (own === null || member === undefined) continue;
    return [
      breach(
        subject,
        'LIST-8',
        { rule: 'member-differs', in: 'list', member, id: own.id, was: own.pet, is: pet },
        { origin: originOf(subject, [own.id]) },
      ),
    ];
  }
  return [];
};

/** Returns the own animals that were created long enough before the request. */
const settledPets = ({ serverModel, response }: RuleSubject): readonly OwnPet[] =>
  serverModel.ownPets().filter(({ at }) => response.exchange.startedAt - at > replicaLagMs);

/** Tells whether a breach depends on everything that the run has created, so that one case alone may not repeat it. */
export const isOfTheWholeRun = ({ problem }: Breach): boolean =>
  problem.rule === 'missing-from-list' && problem.in === 'page';

/** Lists by status are not tested here, because a missing animal may have another status now. Checks test them. */
const missingFrom = (subject: RuleSubject, pets: readonly JsonObject[]): readonly Finding[] => {
  const { limit, status } = subject.probe.listing ?? {};
  if (limit === undefined || limit.kind === 'unspecified' || status?.kind !== 'absent') return [];
  const most = limit.kind === 'given' ? limit.value : pageBounds(subject.serverModel.document).default;
  if (!isWhole(subject.response, most)) return [];
  const ids = new Set(pets.map(idOf));
  const wanted = settledPets(subject);
  if (wanted.every(({ id }) => ids.has(id))) return [];
  const page = { wanted, listed: pets.map(idOf), most, status: null };
  const { problem, ...evidence } = missingFromPage(page, subject.serverModel);
  return [breach(subject, 'LIST-8', problem, evidence)];
};

const inGetPet = (subject: RuleSubject): readonly Finding[] => {
  const { probe, response, serverModel } = subject;
  const id = idInPath(probe.request.path);
  const own = id === null ? null : serverModel.ownPet(id);
  if (own === null) return [];
  if (response.status === 404 && response.exchange.startedAt - own.at > replicaLagMs) {
    return [
      breach(subject, 'GET-1', {
        rule: 'not-served',
        id: own.id,
        known: 'own',
        wrongStatus: response.status,
      }),
    ];
  }
  const served = response.status === 200 ? petOf(response) : null;
  if (served === null) return [];
  const member = differingMember(subject, own.pet, served);
  if (member === undefined) return transition(subject, served);
  return [
    breach(subject, 'GET-1', {
      rule: 'member-differs',
      in: 'get',
      member,
      id: own.id,
      was: own.pet,
      is: served,
    }),
  ];
};
