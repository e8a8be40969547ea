import { saysBothSides } from '../finding/problem.ts';
import {
  type BySide,
  bySide,
  type Failure,
  type RequirementResult,
  type ServerFailure,
} from '../run/outcome.ts';
import { difference, type Segment } from './difference.ts';
import { hasSeveralInputs } from './explanations.ts';
import { type Paint, painter } from './paint.ts';
import { oneLine, shorten, visible } from './text/escape.ts';
import { exceptionIn } from './text/exceptions.ts';
import { shownVerdicts } from './text/shown-verdicts.ts';
import { failureLabels as labels, repetition, responseText, seenText, stepText } from './text/steps.ts';
import { shownVerdictOf } from './verdicts.ts';

const LABEL_WIDTH = 12;
/** A longer text wraps in a terminal, so that carets below it would be in the wrong place. */
const SHORT = 68;
const LONGEST_BODY = 600;
const LONGEST_SIDE = 400;
const LONGEST_PART = 200;
const AROUND = 60;
const LONGEST_CURL = 4_000;
const LONGEST_STEP = 160;
const LONGEST_RESPONSE = 240;

/** Returns a labeled line. A bar begins each further line, so that no line begins with text from the server. */
const line = (label: string, text: string): string => {
  const margin = `  ${' '.repeat(LABEL_WIDTH)}| `;
  return `  ${label.padEnd(LABEL_WIDTH)}${text.replaceAll('\n', `\n${margin}`)}`;
};

const isShort = (text: string): boolean => text.length <= SHORT && !text.includes('\n');

const caretsBelow = (segments: readonly Segment[]): string =>
  segments
    .map(({ text, differs }) => (differs ? '^' : ' ').repeat([...text].length))
    .join('')
    .trimEnd();

/** Whether the difference is in a number or in quotation marks. Carets below other words would add nothing. */
const marksValue = (segments: readonly Segment[]): boolean => {
  const at = segments.findIndex(({ differs }) => differs);
  const before = segments.slice(0, at).map(({ text }) => text);
  return /\d/.test(segments[at]?.text ?? '') || before.join('').split('"').length % 2 === 0;
};

const endOf = (text: string, length: number): string =>
  text.length <= length ? text : `…${[...text].slice(1 - length).join('')}`;

/** Cuts a long text to the different part and the text around it. The reports contain the whole text. */
const focus = (segments: readonly Segment[]): readonly Segment[] => {
  const length = segments.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= LONGEST_SIDE) return segments;
  if (segments.length === 1)
    return segments.map((all) => ({ ...all, text: shorten(all.text, LONGEST_PART) }));
  const marked = segments.findIndex(({ differs }) => differs);
  // If nothing is marked, only the other side has text between the two parts.
  const after = marked < 0 ? 1 : marked + 1;
  return segments.map(({ text, differs }, index) => {
    if (differs) return { text: shorten(text, LONGEST_PART), differs };
    return { text: index < after ? endOf(text, AROUND) : shorten(text, AROUND), differs };
  });
};

const comparison = (failure: Failure, paint: Paint, color: boolean): readonly string[] => {
  const expected = visible(failure.expected);
  const actual = visible(failure.actual);
  const whole = difference(expected, actual);
  const sides = { expected: focus(whole.expected), actual: focus(whole.actual) };
  const show = (segments: readonly Segment[]) =>
    segments.map(({ text, differs }) => (differs ? paint('inverse', text) : text)).join('');
  const carets = marksValue(sides.actual) ? caretsBelow(sides.actual) : '';
  return [
    line(labels.expected, show(sides.expected)),
    line(labels.actual, show(sides.actual)),
    ...(color || carets === '' || !isShort(expected) || !isShort(actual) ? [] : [line('', carets)]),
  ];
};

const linesOf = (label: string, texts: readonly string[] = []): readonly string[] =>
  texts.map((text, index) => line(index === 0 ? label : '', text));

const request = ({ request: { method, url } }: ServerFailure): string =>
  line(labels.request, `${oneLine(method)} ${shorten(oneLine(url), LONGEST_BODY)}`);

/** The exchanges before a failure, its request, and its response. */
const exchangeLines = (failure: ServerFailure): readonly string[] => {
  const { body } = failure.request;
  return [
    ...linesOf(labels.before, failure.causedBy === undefined ? failure.before?.map(stepText) : []),
    request(failure),
    ...(body === null || body === '' ? [] : [line('', shorten(oneLine(body), LONGEST_BODY))]),
    ...(failure.response === null
      ? []
      : [line(labels.response, responseText(failure.response, { longest: LONGEST_RESPONSE }))]),
  ];
};

/** Keeps line feeds, because people paste commands. Text from the server is quoted in them. */
const command = (label: string, text: string): string => `  ${label.padEnd(LABEL_WIDTH)}${visible(text)}`;

/** A command with its label, unless it is too long for a terminal. */
export const commandLine = (label: string, text: string): string =>
  text.length <= LONGEST_CURL ? command(label, text) : line(label, labels.inFile(text.length));

const shortened = (texts: readonly string[] = []): readonly string[] =>
  texts.map((text) => shorten(oneLine(text), LONGEST_STEP));

/** Other requests that fail in the same way, and similar ones that pass. */
const similarRequests = ({ others, passed }: ServerFailure): readonly string[] => [
  ...linesOf(labels.alsoFails, shortened(others)),
  ...linesOf(labels.passes, shortened(passed)),
];

/** The inputs that fail, if others pass: the message has one of them. */
const inputLines = (failure: ServerFailure): readonly string[] =>
  hasSeveralInputs({ bug: null, failure })
    ? [line(labels.inputs, shorten(labels.failingInputs(failure.inputs ?? []), LONGEST_RESPONSE))]
    : [];

/** The lines of a failure that show its evidence. */
interface EvidenceLines {
  /** What the failure follows from. */
  readonly cause: readonly string[];
  readonly evidence: readonly string[];
  /** What else is known, and how to repeat the failure. */
  readonly more: readonly string[];
  /** The evidence in a few lines. */
  readonly brief: readonly string[];
}

const evidenceLines: BySide<EvidenceLines> = {
  server: (failure) => {
    const { causedBy, response, check, curl, shortCurl, replay } = failure;
    const often = seenText(failure);
    const exception = exceptionIn(failure);
    const raised = exception === null ? [] : [line(labels.exception, oneLine(exception))];
    const commands = [commandLine(labels.curl, shortCurl?.command ?? curl), command(labels.replay, replay)];
    return {
      cause: causedBy === undefined ? [] : [line(labels.causedBy, stepText(causedBy))],
      evidence: [...exchangeLines(failure), ...raised],
      more: [
        ...similarRequests(failure),
        line(labels.during, `${oneLine(check)} (${repetition(failure)})`),
        ...commands,
      ],
      brief: [
        ...(often === null ? [] : [line(labels.repeats, labels.mayVary(often))]),
        ...(response === null ? [] : [line(labels.response, responseText(response))]),
        ...inputLines(failure),
        ...raised,
        ...commands,
      ],
    };
  },
};

const heading = (result: RequirementResult, text: string, paint: Paint, level = ''): string => {
  const tone = result.verdict === 'warned' ? 'yellow' : 'red';
  return `${paint(tone, `${shownVerdicts[shownVerdictOf(result)].sign} ${result.id}`)}${level} ${paint('bold', text)}`;
};

interface TextOptions {
  readonly color: boolean;
  /** Requirements that could not be tested because of the failure. */
  readonly blocked?: readonly string[];
  /** False: the caller shows expected and actual itself. */
  readonly sides?: boolean;
}

/**
 * One failure as text for a terminal, a CI log, and the reports: requirement, request, expected, actual, how to repeat it. Text from
 * the server can neither move the cursor nor begin a line.
 */
export const failureText = (
  result: RequirementResult,
  failure: Failure,
  { color, blocked = [], sides = true }: TextOptions,
): string => {
  const paint = painter(color);
  const { cause, evidence, more } = bySide(evidenceLines, failure);
  return [
    heading(result, oneLine(result.statement), paint, ` ${paint('dim', `(${result.level})`)}`),
    line('', oneLine(failure.message)),
    line(labels.section, oneLine(result.section)),
    ...cause,
    ...(blocked.length === 0 ? [] : [line(labels.blocks, blocked.join(', '))]),
    ...evidence,
    ...(sides ? comparison(failure, paint, color) : []),
    ...more,
  ].join('\n');
};

/**
 * One failure in a few lines: the problem, and how to repeat it. The page has the rest. `compares`: what was expected, and what came, have
 * lines of their own.
 */
export const briefText = (
  result: RequirementResult,
  failure: Failure,
  { color, compares }: { readonly color: boolean; readonly compares: boolean },
): string => {
  const paint = painter(color);
  return [
    heading(result, shorten(oneLine(failure.message), LONGEST_BODY), paint),
    ...(!compares || saysBothSides(failure.problem.rule) ? [] : comparison(failure, paint, true)),
    ...bySide(evidenceLines, failure).brief,
  ].join('\n');
};
