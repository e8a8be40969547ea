import { type Finding, isBreach, observation } from '../../finding/finding.ts';
import { isOfAnotherKey } from '../../finding/probe.ts';
import { excerpt } from '../../json/excerpt.ts';
import type { JsonObject } from '../../json/json.ts';
import { stringifyJson } from '../../json/stringify.ts';
import { statusesOf } from '../document-figures.ts';
import { idOf, isSameName, petOf } from '../pet.ts';
import { breach, originOf, passed, type Rule, type RuleSubject } from '../rule.ts';

/** CREATE-2, CREATE-3, CREATE-4 and CREATE-9, for every creation that gets 201. */
export const creation: Rule = (subject) => {
  const { probe, response } = subject;
  const pet = petOf(response);
  if (probe.request.operation !== 'createPet' || response.status !== 201 || pet === null) return [];
  // For an invalid body, the 201 is the breach, and the returned values are not another one.
  const isEchoed = probe.sent !== undefined && probe.inputSpace !== 'undocumented';
  return [...freshId(subject, pet), ...(isEchoed ? echo(subject, probe.sent, pet) : [])];
};

const freshId = (subject: RuleSubject, pet: JsonObject): readonly Finding[] => {
  const id = idOf(pet);
  if (id === null) {
    return [breach(subject, 'CREATE-3', { rule: 'id-not-int64', id: pet.id })];
  }
  const { serverModel, sequence, probe } = subject;
  if (isOfAnotherKey(probe)) return [];
  const creator = serverModel.idCreatedBy(id);
  const taken = serverModel.idSeenBefore(id, sequence) || (creator !== null && creator !== sequence);
  if (!taken) return [passed('CREATE-3')];
  return [
    breach(
      subject,
      'CREATE-3',
      { rule: 'id-reused', by: userOf(subject, creator, id), id },
      { origin: originOf(subject, [id]) },
    ),
  ];
};

/** Returns who has the id already. A race can only give the same id to creations that overlap. */
const userOf = ({ serverModel, response }: RuleSubject, creator: number | null, id: bigint) => {
  if (creator === null) return 'listed';
  const [first] = serverModel.creationsOf(id);
  const isOver = first !== undefined && first.startedAt + first.durationMs <= response.exchange.startedAt;
  return isOver ? 'earlier creation' : 'concurrent creation';
};

const echo = (subject: RuleSubject, sent: JsonObject, pet: JsonObject): readonly Finding[] => {
  const findings: Finding[] = [];
  const differs = (requirement: string, member: string) =>
    findings.push(
      breach(subject, requirement, {
        rule: 'member-differs',
        in: 'creation',
        member,
        sent: sent[member],
        got: pet[member],
        isOther: isOfOtherCreation(subject, sent, pet),
      }),
    );
  // A name that is not well-formed Unicode cannot come back through UTF-8.
  const name = sent.name;
  if (typeof name === 'string' && name.isWellFormed() && !isSameName(name, pet.name))
    differs('CREATE-2', 'name');
  if (typeof sent.categoryId === 'bigint') {
    // If the member is missing, precision is not the problem.
    const exact = isBeyondDouble(sent.categoryId) && pet.categoryId !== undefined;
    if (pet.categoryId !== sent.categoryId) differs(exact ? 'CREATE-9' : 'CREATE-2', 'categoryId');
    else if (exact) findings.push(passed('CREATE-9'));
  }
  if (sent.status !== undefined && pet.status !== sent.status) differs('CREATE-2', 'status');
  if (!findings.some(isBreach)) findings.push(passed('CREATE-2'));
  if (sent.status === undefined) findings.push(...omitted(subject, pet));
  return findings;
};

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Tells whether the response has the name of another creation. A changed form of the same name does not count. */
const isOfOtherCreation = ({ serverModel }: RuleSubject, { name }: JsonObject, pet: JsonObject): boolean =>
  typeof name === 'string' &&
  typeof pet.name === 'string' &&
  !letters(name).includes(letters(pet.name)) &&
  serverModel.isSentName(pet.name);

const isBeyondDouble = (value: bigint): boolean => value > 2n ** 53n || value < -(2n ** 53n);

const omitted = (subject: RuleSubject, pet: JsonObject): readonly Finding[] => {
  const value = pet.status;
  const observed: Finding = observation(
    'CREATE-4',
    'status when omitted',
    value === undefined ? 'absent' : excerpt(stringifyJson(value), 200).replace(/^"|"$/g, ''),
  );
  const allowed = statusesOf(subject.serverModel.document);
  if (value === undefined || (typeof value === 'string' && allowed.includes(value)))
    return [observed, passed('CREATE-4')];
  return [observed, breach(subject, 'CREATE-4', { rule: 'status-when-omitted', allowed, got: value })];
};
