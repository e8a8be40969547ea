import type { Latency, Observation, RequirementResult } from '../run/outcome.ts';
import type { Report } from './conformance.ts';
import { changeText, changeTitles, compareWords as words } from './text/compare.ts';
import { oneLine, shorten } from './text/escape.ts';
import { type ShownVerdict, shownVerdicts } from './text/shown-verdicts.ts';
import { shownVerdictOf } from './verdicts.ts';

type ChangeKind = keyof typeof changeTitles;

/** In the order of the text. */
const changeKinds = Object.keys(changeTitles) as readonly ChangeKind[];

/** One difference between two reports, in a sentence. */
export interface Change {
  readonly kind: ChangeKind;
  readonly text: string;
  /** The requirement, if it is in both reports or only in the later one. */
  readonly id?: string;
}

const longestLine = 160;

/** Smaller changes of latency are noise, and so are changes of an operation with fewer responses. */
const NOTABLE_FACTOR = 2;
const NOTABLE_MS = 100;
const FEWEST_RESPONSES = 20;

const isNotJudged = ({ verdict }: Report): boolean => verdict === 'not-judged';

const notJudged = (before: Report, after: Report): readonly Change[] =>
  [
    ...(isNotJudged(before) ? [changeText.oldNotJudged] : []),
    ...(isNotJudged(after) ? [changeText.newNotJudged] : []),
  ].map((text) => ({ kind: 'not-judged', text }));

const targetChanges = (before: Report, after: Report): readonly Change[] => {
  const compared: readonly (readonly [name: string, before: string, after: string])[] = [
    [words.target, before.target.baseUrl, after.target.baseUrl],
    [words.plan, before.target.plan ?? words.unknown, after.target.plan ?? words.unknown],
    [words.interface, before.interface.version, after.interface.version],
    [words.suite, before.tool.version, after.tool.version],
  ];
  // The reference server listens on any free port.
  const bothReference = before.target.reference && after.target.reference;
  return compared
    .filter(([name, old, now]) => old !== now && !(name === words.target && bothReference))
    .map(([name, old, now]) => ({
      kind: 'target',
      text: changeText.value(name, oneLine(old), oneLine(now)),
    }));
};

const isBroken = (verdict: ShownVerdict | undefined): boolean => verdict === 'failed';

const kindOf = (old: ShownVerdict | undefined, now: ShownVerdict): ChangeKind => {
  if (isBroken(now) && !isBroken(old)) return 'newly-failing';
  return isBroken(old) && now === 'passed' ? 'newly-passing' : 'verdict';
};

const verdictChange = (result: RequirementResult, old: ShownVerdict | undefined): Change => {
  const now = shownVerdictOf(result);
  const why = result.failures[0]?.message ?? result.reason;
  const was = old === undefined ? null : shownVerdicts[old].word;
  return {
    kind: kindOf(old, now),
    id: result.id,
    text: changeText.verdict(result.id, shownVerdicts[now].word, was, oneLine(why ?? '')),
  };
};

const verdictChanges = (before: Report, after: Report): readonly Change[] => {
  const old = new Map(before.requirements.map((result) => [result.id, shownVerdictOf(result)]));
  const now = new Set(after.requirements.map(({ id }) => id));
  return [
    ...after.requirements
      .filter((result) => old.get(result.id) !== shownVerdictOf(result))
      .map((result) => verdictChange(result, old.get(result.id))),
    ...before.requirements
      .filter(({ id }) => !now.has(id))
      .map(({ id }): Change => ({ kind: 'verdict', text: changeText.removed(id) })),
  ];
};

/** The values of each subject as one text, because a subject can have several. */
const bySubject = (observations: readonly Observation[]): ReadonlyMap<string, string> => {
  const grouped = Map.groupBy(observations, ({ id, subject }) => `${id} ${subject}`);
  return new Map(
    [...grouped].map(([subject, seen]) => [
      subject,
      [...new Set(seen.map(({ value }) => value))].sort().join(' | '),
    ]),
  );
};

const observationChanges = (before: Report, after: Report): readonly Change[] => {
  const old = bySubject(before.observations);
  const now = bySubject(after.observations);
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((subject) => old.get(subject) !== now.get(subject))
    .map((subject) => {
      const value = (of: ReadonlyMap<string, string>) => oneLine(of.get(subject) ?? words.unobserved);
      return { kind: 'observation', text: changeText.value(oneLine(subject), value(old), value(now)) };
    });
};

const isNotable = (old: number, now: number): boolean =>
  Math.abs(now - old) >= NOTABLE_MS && Math.max(old, now) >= NOTABLE_FACTOR * Math.min(old, now);

const hasEnoughResponses = ({ coverage }: Report, operation: string): boolean =>
  coverage
    .filter((cell) => cell.operation === operation)
    .reduce((responses, { seen }) => responses + seen, 0) >= FEWEST_RESPONSES;

const latencyChanges = (before: Report, after: Report): readonly Change[] =>
  Object.entries(after.traffic.latency).flatMap(([operation, now]) => {
    const old: Latency | undefined = before.traffic.latency[operation];
    if (old === undefined || !isNotable(old.p90, now.p90)) return [];
    if (![before, after].every((report) => hasEnoughResponses(report, operation))) return [];
    return [{ kind: 'latency' as const, text: changeText.latency(operation, now.p90, old.p90) }];
  });

/** Returns the changes from one report to a later one. Latency counts only if it changed much, with enough responses. */
export const compareReports = (before: Report, after: Report): readonly Change[] => [
  ...notJudged(before, after),
  ...targetChanges(before, after),
  ...verdictChanges(before, after),
  ...observationChanges(before, after),
  ...latencyChanges(before, after),
];

const verdictKinds: readonly ChangeKind[] = ['newly-failing', 'newly-passing', 'verdict'];

/** The maximum number of changes shown of each kind, so that every kind fits the screen. */
const mostOfKind: Readonly<Record<ChangeKind, number>> = {
  'not-judged': 2,
  target: 4,
  'newly-failing': 8,
  'newly-passing': 1,
  verdict: 3,
  observation: 1,
  latency: 2,
};

/** Returns the lines of a kind. Newly passing requirements need no reason, only their ids. */
const linesOf = (kind: ChangeKind, changes: readonly Change[], isVerbose: boolean): readonly string[] => {
  if (isVerbose) return changes.map(({ text }) => text);
  if (kind === 'newly-passing') return [changes.map(({ id }) => id).join(', ')];
  const shown = changes.slice(0, mostOfKind[kind]).map(({ text }) => shorten(text, longestLine));
  const rest = changes.length - shown.length;
  return rest === 0 ? shown : [...shown, words.more(rest)];
};

/** Returns the changes as text, by kind, after a note if no verdict changed. It ends with a line feed. */
export const changesText = (changes: readonly Change[], isVerbose = false): string => {
  if (changes.length === 0) return `${words.nothing}\n`;
  const note = changes.some(({ kind }) => verdictKinds.includes(kind)) ? '' : `${words.noVerdict}\n\n`;
  const sections = changeKinds.flatMap((kind) => {
    const ofKind = changes.filter((change) => change.kind === kind);
    if (ofKind.length === 0) return [];
    const lines = linesOf(kind, ofKind, isVerbose).map((text) => `  ${text}\n`);
    return [`${changeTitles[kind]}\n${lines.join('')}`];
  });
  return `${note}${sections.join('\n')}`;
};
