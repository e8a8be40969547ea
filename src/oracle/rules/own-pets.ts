import type { Json, JsonObject } from '../../json/json.ts';
import { stringifyJson } from '../../json/stringify.ts';
import { pageBounds } from '../document-figures.ts';
import { type Breach, type Finding, observation } from '../finding.ts';
import { isWhole, missingFromPage } from '../paging.ts';
import { idInPath, idOf, isSameName, listedPets, petMembers, petOf } from '../pet.ts';
import { breach, type Judged, type OwnPet, originOf, type Rule } from '../rule.ts';

/** A replica may lag for 2 s (LIST-8), a list behind what getPet says too. */
export const replicaLagMs = 2_100;

/**
 * GET-1, LIST-8: what the run created stays as it was created, in every list and under its id. Its status may change (GET-7), but not
 * disappear. Another key may have a store of its own.
 */
export const ownPets: Rule = (subject) => {
  const { operation, credential } = subject.probe.request;
  if (credential.chargedTo !== 'main') return [];
  if (operation === 'listPets') return inList(subject);
  return operation === 'getPet' ? underItsId(subject) : [];
};

const inList = (subject: Judged): readonly Finding[] => {
  const pets = subject.response.status === 200 ? listedPets(subject.response) : null;
  if (pets === null) return [];
  return [
    ...changedIn(subject, pets),
    ...missingFrom(subject, pets),
    ...pets.flatMap((pet) => transition(subject, pet)),
  ];
};

/** Whether a member is shown as it was created, or as it may have become. */
const isKept = (member: (typeof petMembers)[number], was: JsonObject, is: JsonObject): boolean => {
  const [before, now] = [was[member], is[member]];
  if (member === 'status') return before === undefined || now !== undefined;
  return typeof before === 'string' && member === 'name' ? isSameName(before, now) : now === before;
};

/** GET-7: the status of an own animal is another one than in the response before. */
const transition = ({ serverModel, sequence }: Judged, pet: JsonObject): readonly Finding[] => {
  const id = idOf(pet);
  const before = id === null ? null : serverModel.statusShown(id, sequence);
  if (before === null || before.status === pet.status) return [];
  return [observation('GET-7', statusSubject, `${inWordsOf(before.status)} to ${inWordsOf(pet.status)}`)];
};

/** What the observations of GET-7 are about. */
export const statusSubject = 'status after the creation';

const inWordsOf = (status: Json | undefined): string =>
  typeof status === 'string' ? status : status === undefined ? 'none' : stringifyJson(status);

/** The member in which an animal is shown otherwise than it was created; what is no Pet breaches its schema, and that is said already. */
const differingMember = ({ serverModel }: Judged, was: JsonObject, is: JsonObject): string | undefined => {
  const member = petMembers.find((each) => !isKept(each, was, is));
  const schema = serverModel.document.schemas.Pet;
  const isPet =
    schema === undefined || member === undefined || serverModel.validator(schema)(is).length === 0;
  return isPet ? member : undefined;
};

const changedIn = (subject: Judged, pets: readonly JsonObject[]): readonly Finding[] => {
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

/** What had been created long enough before a request was sent. */
const longKnown = ({ serverModel, response }: Judged): readonly OwnPet[] =>
  serverModel.ownPets().filter(({ at }) => response.exchange.startedAt - at > replicaLagMs);

/** Depends on all that the run has created so far: a case that is run alone has created little. */
export const isOfTheWholeRun = ({ problem }: Breach): boolean =>
  problem.rule === 'missing-from-list' && problem.in === 'page';

/** What a list by status lacks may have got another status: only a check can look. */
const missingFrom = (subject: Judged, pets: readonly JsonObject[]): readonly Finding[] => {
  const { limit, status } = subject.probe.listing ?? {};
  if (limit === undefined || limit.kind === 'unspecified' || status?.kind !== 'absent') return [];
  const most = limit.kind === 'given' ? limit.value : pageBounds(subject.serverModel.document).default;
  if (!isWhole(subject.response, most)) return [];
  const ids = new Set(pets.map(idOf));
  const wanted = longKnown(subject);
  if (wanted.every(({ id }) => ids.has(id))) return [];
  const page = { wanted, listed: pets.map(idOf), most, status: null };
  const { problem, ...evidence } = missingFromPage(page, subject.serverModel);
  return [breach(subject, 'LIST-8', problem, evidence)];
};

const underItsId = (subject: Judged): readonly Finding[] => {
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
