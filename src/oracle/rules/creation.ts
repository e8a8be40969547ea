import type { Json, JsonObject } from '../../json/json.ts';
import { stringifyJson } from '../../json/stringify.ts';
import { contrast } from '../contrast.ts';
import { statusesOf } from '../document-figures.ts';
import { type Finding, isBreach } from '../finding.ts';
import { sameName } from '../names.ts';
import { idOf, petOf } from '../pet.ts';
import { isOfAnotherKey } from '../probe.ts';
import { breach, excerpt, inWords, met, originOf, type Rule, responseTo, type Subject } from '../rule.ts';

/** CREATE-2, CREATE-3, CREATE-4 and CREATE-9 on every creation that is answered with 201. */
export const creation: Rule = (subject) => {
  const { probe, reading } = subject;
  const pet = petOf(reading);
  if (probe.request.operation !== 'createPet' || reading.status !== 201 || pet === null) return [];
  // That an invalid body was taken at all is what is wrong then, and what became of it no breach of its own.
  const isEchoed = probe.sent !== undefined && probe.space !== 'outside';
  return [...freshId(subject, pet), ...(isEchoed ? echo(subject, probe.sent, pet) : [])];
};

const freshId = (subject: Subject, pet: JsonObject): readonly Finding[] => {
  const id = idOf(pet);
  if (id === null) {
    return [
      breach(subject, {
        requirement: 'CREATE-3',
        rule: 'id-not-int64',
        message: `${responseTo(subject)}: expected an int64 as id, got ${show(pet.id)}`,
        expected: '"id": an int64',
        actual: `"id": ${show(pet.id)}`,
      }),
    ];
  }
  const { knowledge, ticket, probe } = subject;
  if (isOfAnotherKey(probe)) return [];
  const creator = knowledge.idCreatedBy(id);
  const taken = knowledge.idSeenBefore(id, ticket) || (creator !== null && creator !== ticket);
  if (!taken) return [met('CREATE-3')];
  return [
    breach(subject, {
      requirement: 'CREATE-3',
      rule: 'id-reused',
      message: `${inWords(subject)}: the new animal got id ${id}, which ${whose(subject, creator, id)}`,
      expected: 'an id that no other animal has',
      actual: `"id":${id}`,
      origin: originOf(subject, [id]),
    }),
  ];
};

/** Whose id it is already. A race gives an id twice to creations that overlap, and to no others. */
const whose = ({ knowledge, reading }: Subject, creator: number | null, id: bigint): string => {
  if (creator === null) return 'another animal in the list has';
  const [first] = knowledge.creationsOf(id);
  const isOver = first !== undefined && first.startedAt + first.durationMs <= reading.exchange.startedAt;
  return isOver ? 'is already in use' : 'another creation got at the same time';
};

const echo = (subject: Subject, sent: JsonObject, pet: JsonObject): readonly Finding[] => {
  const findings: Finding[] = [];
  const differs = (requirement: string, member: string) => {
    const [expected, actual] = contrast(written(sent[member]), written(pet[member]));
    findings.push(
      breach(subject, {
        requirement,
        rule: 'member-differs',
        variant: member,
        message: `${inWords(subject)}: ${otherValue(member, sent[member], pet[member])}${isAnothers(subject, sent, pet) ? '. The response is the animal of another request' : ''}`,
        expected: `${JSON.stringify(member)}: ${expected}`,
        actual: `${JSON.stringify(member)}: ${actual}`,
      }),
    );
  };
  // A name that is no well-formed Unicode cannot come back through UTF-8.
  const name = sent.name;
  if (typeof name === 'string' && name.isWellFormed() && !sameName(name, pet.name))
    differs('CREATE-2', 'name');
  if (typeof sent.categoryId === 'bigint') {
    // Where it is not shown at all, its digits are not what is lost.
    const exact = isBeyondDouble(sent.categoryId) && pet.categoryId !== undefined;
    if (pet.categoryId !== sent.categoryId) differs(exact ? 'CREATE-9' : 'CREATE-2', 'categoryId');
    else if (exact) findings.push(met('CREATE-9'));
  }
  if (sent.status !== undefined && pet.status !== sent.status) differs('CREATE-2', 'status');
  if (!findings.some(isBreach)) findings.push(met('CREATE-2'));
  if (sent.status === undefined) findings.push(...omitted(subject, pet));
  return findings;
};

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The answer belongs to another creation, as its name tells; the same name cut or written otherwise may be one that was sent as well. */
const isAnothers = ({ knowledge }: Subject, { name }: JsonObject, pet: JsonObject): boolean =>
  typeof name === 'string' &&
  typeof pet.name === 'string' &&
  !letters(name).includes(letters(pet.name)) &&
  knowledge.isSentName(pet.name);

const types: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'a boolean',
  object: 'an array or an object',
};

/** Up to so many missing characters are named: they are left out for what they are, as a space is. More are cut off for want of room. */
const fewCharacters = 3;

const cut = (asked: string, back: string): string => {
  const end = asked.slice(back.length);
  return [...end].length <= fewCharacters
    ? `the end ${JSON.stringify(end)} is missing`
    : `cut after ${[...back].length} characters`;
};

/** What came in place of what was sent. */
const otherValue = (member: string, asked: Json | undefined, back: Json | undefined): string => {
  if (back === undefined) return `${member} is missing in the response`;
  const type = back === null ? 'null' : types[typeof back];
  if (typeof back !== typeof asked && type !== undefined) return `${member} came back as ${type}`;
  if (isRoundedTo(asked, back))
    return `${member} ${asked} came back as ${back} (integer precision lost above 2^53)`;
  const isCut =
    typeof asked === 'string' && typeof back === 'string' && back !== '' && asked.startsWith(back);
  return `${member} came back different${isCut ? `: ${cut(asked, back)}` : ''}`;
};

/** What a double makes of an integer that it cannot hold. */
const isRoundedTo = (asked: Json | undefined, back: Json | undefined): boolean =>
  typeof asked === 'bigint' && typeof back === 'bigint' && asked !== back && BigInt(Number(asked)) === back;

const isBeyondDouble = (value: bigint): boolean => value > 2n ** 53n || value < -(2n ** 53n);

const omitted = (subject: Subject, pet: JsonObject): readonly Finding[] => {
  const value = pet.status;
  const observed: Finding = {
    kind: 'observed',
    requirement: 'CREATE-4',
    subject: 'status when omitted',
    value: value === undefined ? 'absent' : show(value).replace(/^"|"$/g, ''),
  };
  const allowed = statusesOf(subject.knowledge.document);
  if (value === undefined || (typeof value === 'string' && allowed.includes(value)))
    return [observed, met('CREATE-4')];
  return [
    observed,
    breach(subject, {
      requirement: 'CREATE-4',
      rule: 'status-when-omitted',
      message: `${inWords(subject)}: expected no status or one of ${allowed.join(', ')}, got ${show(value)}`,
      expected: `no status, or one of ${allowed.join(', ')}`,
      actual: `"status": ${show(value)}`,
    }),
  ];
};

const written = (value: JsonObject[string] | undefined): string =>
  value === undefined ? 'absent' : stringifyJson(value);

const show = (value: JsonObject[string] | undefined): string => excerpt(written(value), 200);
