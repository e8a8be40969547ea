import type { Latency, Observation, RequirementResult } from '../run/outcome.ts';
import type { Report } from './conformance.ts';
import { oneLine, shorten } from './text/escape.ts';
import { type ShownVerdict, shownVerdicts } from './text/shown-verdicts.ts';
import { duration } from './text/units.ts';
import { shownVerdictOf } from './verdicts.ts';

/** Kinds of changes, in the order of the text. */
const changeKinds = [
  'target',
  'newly failing',
  'newly passing',
  'verdict',
  'observation',
  'latency',
] as const;

/** One difference between two reports, in a sentence. */
export interface Change {
  readonly kind: (typeof changeKinds)[number];
  readonly text: string;
  /** The requirement, if it is in both reports or only in the later one. */
  readonly id?: string;
}

const longestLine = 160;

/** Smaller changes of latency are noise, and so are changes of an operation with fewer responses. */
const NOTABLE_FACTOR = 2;
const NOTABLE_MS = 100;
const FEWEST_RESPONSES = 20;

const targetChanges = (before: Report, after: Report): readonly Change[] => {
  const compared: readonly (readonly [name: string, before: string, after: string])[] = [
    ['target', before.target.baseUrl, after.target.baseUrl],
    ['plan', before.target.plan ?? 'not known', after.target.plan ?? 'not known'],
    ['interface version', before.interface.version, after.interface.version],
    ['suite version', before.tool.version, after.tool.version],
  ];
  // The reference server listens on any free port.
  const bothReference = before.target.reference && after.target.reference;
  return compared
    .filter(([name, old, now]) => old !== now && !(name === 'target' && bothReference))
    .map(([name, old, now]) => ({ kind: 'target', text: `${name}: ${oneLine(old)}, now ${oneLine(now)}` }));
};

const isBroken = (verdict: ShownVerdict | undefined): boolean => verdict === 'failed';

const kindOf = (old: ShownVerdict | undefined, now: ShownVerdict): Change['kind'] => {
  if (isBroken(now) && !isBroken(old)) return 'newly failing';
  return isBroken(old) && now === 'passed' ? 'newly passing' : 'verdict';
};

const verdictChange = (result: RequirementResult, old: ShownVerdict | undefined): Change => {
  const now = shownVerdictOf(result);
  const why = result.failures[0]?.message ?? result.reason;
  const was = old === undefined ? 'not there before' : `was ${shownVerdicts[old].word}`;
  return {
    kind: kindOf(old, now),
    id: result.id,
    text: `${result.id} ${shownVerdicts[now].word} (${was})${why ? `: ${oneLine(why)}` : ''}`,
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
      .map(({ id }): Change => ({ kind: 'verdict', text: `${id} is no longer in the report` })),
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
      const [was, is] = [old.get(subject), now.get(subject)].map((value) => oneLine(value ?? 'not observed'));
      return { kind: 'observation', text: `${oneLine(subject)}: ${was}, now ${is}` };
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
    const text = `${operation}: 90 % within ${duration(now.p90)}, was ${duration(old.p90)}`;
    return [{ kind: 'latency' as const, text }];
  });

/** Returns the changes from one report to a later one. Latency counts only if it changed much, with enough responses. */
export const compareReports = (before: Report, after: Report): readonly Change[] => [
  ...targetChanges(before, after),
  ...verdictChanges(before, after),
  ...observationChanges(before, after),
  ...latencyChanges(before, after),
];

const titles: Readonly<Record<Change['kind'], string>> = {
  target: 'Different settings',
  'newly failing': 'Newly failing',
  'newly passing': 'Newly passing',
  verdict: 'Other verdicts that changed',
  observation: 'Observations that changed',
  latency: 'Latency',
};

const verdictKinds: readonly Change['kind'][] = ['newly failing', 'newly passing', 'verdict'];

/** The maximum number of changes shown of each kind, so that every kind fits the screen. */
const mostOfKind: Readonly<Record<Change['kind'], number>> = {
  target: 4,
  'newly failing': 8,
  'newly passing': 1,
  verdict: 3,
  observation: 1,
  latency: 2,
};

/** Returns the lines of a kind. Newly passing requirements need no reason, only their ids. */
const linesOf = (kind: Change['kind'], changes: readonly Change[], isVerbose: boolean): readonly string[] => {
  if (isVerbose) return changes.map(({ text }) => text);
  if (kind === 'newly passing') return [changes.map(({ id }) => id).join(', ')];
  const shown = changes.slice(0, mostOfKind[kind]).map(({ text }) => shorten(text, longestLine));
  const rest = changes.length - shown.length;
  return rest === 0 ? shown : [...shown, `${rest} more (--verbose)`];
};

/** Returns the changes as text, by kind, after a note if no verdict changed. It ends with a line feed. */
export const changesText = (changes: readonly Change[], isVerbose = false): string => {
  if (changes.length === 0) return 'Nothing changed.\n';
  const note = changes.some(({ kind }) => verdictKinds.includes(kind)) ? '' : 'No verdict changed.\n\n';
  const byKind = Map.groupBy(changes, ({ kind }) => kind);
  const sections = changeKinds.flatMap((kind) => {
    const ofKind = byKind.get(kind);
    if (ofKind === undefined) return [];
    const lines = linesOf(kind, ofKind, isVerbose).map((text) => `  ${text}\n`);
    return [`${titles[kind]}\n${lines.join('')}`];
  });
  return `${note}${sections.join('\n')}`;
};
