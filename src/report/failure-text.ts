import type { Failure, RequirementResult } from '../run/outcome.ts';
import { difference, type Segment } from './difference.ts';
import { type Paint, painter } from './paint.ts';
import { oneLine, shorten, visible } from './text/escape.ts';
import { shownVerdicts } from './text/shown-verdicts.ts';
import { repetition, responseText, stepText } from './text/steps.ts';
import { shownVerdictOf } from './verdicts.ts';

const LABEL_WIDTH = 12;
/** A longer text does not fit a line of a terminal, so that a mark below it would point nowhere. */
const SHORT = 68;
const LONGEST_BODY = 600;
const LONGEST_SIDE = 400;
const LONGEST_PART = 200;
const AROUND = 60;
const LONGEST_CURL = 4_000;
const LONGEST_STEP = 160;
const LONGEST_RESPONSE = 240;

/** Every line after the first is set off by a bar, so that no line begins with what the target wrote. */
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

/** Whether a value is marked, a number or what stands in quotation marks: below words a mark says nothing that they do not say. */
const marksValue = (segments: readonly Segment[]): boolean => {
  const at = segments.findIndex(({ differs }) => differs);
  const before = segments.slice(0, at).map(({ text }) => text);
  return /\d/.test(segments[at]?.text ?? '') || before.join('').split('"').length % 2 === 0;
};

const ending = (text: string, length: number): string =>
  text.length <= length ? text : `…${[...text].slice(1 - length).join('')}`;

/** Of a long text what differs, with what stands around it: all of it is in conformance.json and in the page. */
const focused = (segments: readonly Segment[]): readonly Segment[] => {
  const length = segments.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= LONGEST_SIDE) return segments;
  if (segments.length === 1)
    return segments.map((all) => ({ ...all, text: shorten(all.text, LONGEST_PART) }));
  const marked = segments.findIndex(({ differs }) => differs);
  // Without a mark the other side has something between the two parts that this one lacks.
  const after = marked < 0 ? 1 : marked + 1;
  return segments.map(({ text, differs }, index) => {
    if (differs) return { text: shorten(text, LONGEST_PART), differs };
    return { text: index < after ? ending(text, AROUND) : shorten(text, AROUND), differs };
  });
};

const comparison = (failure: Failure, paint: Paint, colour: boolean): readonly string[] => {
  const expected = visible(failure.expected);
  const actual = visible(failure.actual);
  const whole = difference(expected, actual);
  const sides = { expected: focused(whole.expected), actual: focused(whole.actual) };
  const show = (segments: readonly Segment[]) =>
    segments.map(({ text, differs }) => (differs ? paint('inverse', text) : text)).join('');
  const carets = marksValue(sides.actual) ? caretsBelow(sides.actual) : '';
  return [
    line('expected', show(sides.expected)),
    line('actual', show(sides.actual)),
    ...(colour || carets === '' || !isShort(expected) || !isShort(actual) ? [] : [line('', carets)]),
  ];
};

const listed = (label: string, texts: readonly string[] = []): readonly string[] =>
  texts.map((text, index) => line(index === 0 ? label : '', text));

const request = ({ request: { method, url } }: Failure): string =>
  line('request', `${oneLine(method)} ${shorten(oneLine(url), LONGEST_BODY)}`);

/** The request, with those before it, and the response. */
const sentAndAnswered = (failure: Failure): readonly string[] => {
  const { body } = failure.request;
  return [
    ...listed('before', failure.causedBy === undefined ? failure.before?.map(stepText) : []),
    request(failure),
    ...(body === null || body === '' ? [] : [line('', shorten(oneLine(body), LONGEST_BODY))]),
    ...(failure.response === null
      ? []
      : [line('response', responseText(failure.response, { longest: LONGEST_RESPONSE }))]),
  ];
};

/** Commands are ours, and are pasted: a line feed in a quoted body has to stay one. */
const command = (label: string, text: string): string => `  ${label.padEnd(LABEL_WIDTH)}${visible(text)}`;

/** A command with its label, unless it is too long for a terminal. */
export const commandLine = (label: string, text: string): string =>
  text.length <= LONGEST_CURL
    ? command(label, text)
    : line(label, `${text.length} characters: see conformance.json`);

const named = (texts: readonly string[] = []): readonly string[] =>
  texts.map((text) => shorten(oneLine(text), LONGEST_STEP));

/** How far a failure goes: other requests that met it, and some that did not. */
const beside = ({ others, passed }: Failure): readonly string[] => [
  ...listed('also fails', named(others)),
  ...listed('passes', named(passed)),
];

const heading = (result: RequirementResult, text: string, paint: Paint, level = ''): string => {
  const tone = result.verdict === 'warned' ? 'yellow' : 'red';
  return `${paint(tone, `${shownVerdicts[shownVerdictOf(result)].sign} ${result.id}`)}${level} ${paint('bold', text)}`;
};

interface Telling {
  readonly colour: boolean;
  /** Requirements that could not be tested because of it. */
  readonly blocked?: readonly string[];
  /** False: expected and actual are shown by others. */
  readonly sides?: boolean;
}

/**
 * One failure as a terminal, a CI log and the reports tell it: requirement, request, expected, actual, how to repeat it. Nothing in
 * it can move a cursor or begin a line of its own, whatever the target answered.
 */
export const failureText = (
  result: RequirementResult,
  failure: Failure,
  { colour, blocked = [], sides = true }: Telling,
): string => {
  const paint = painter(colour);
  return [
    heading(result, oneLine(result.statement), paint, ` ${paint('dim', `(${result.level})`)}`),
    line('', oneLine(failure.message)),
    line('section', oneLine(result.section)),
    ...(failure.causedBy === undefined ? [] : [line('caused by', stepText(failure.causedBy))]),
    ...(blocked.length === 0 ? [] : [line('blocks', blocked.join(', '))]),
    ...sentAndAnswered(failure),
    ...(sides ? comparison(failure, paint, colour) : []),
    ...beside(failure),
    line('during', `${oneLine(failure.check)} (${repetition(failure)})`),
    commandLine('curl', failure.curl),
    command('replay', failure.replay),
  ].join('\n');
};

/** The message says what expected and actual say. */
const saysBoth = ({ message, actual, rule }: Failure): boolean =>
  rule === 'header-missing' || /expected .+, got /.test(message) || message.includes(actual);

/** One failure in a few lines: what is wrong, and how to repeat it. The rest is in the page. */
export const briefText = (
  result: RequirementResult,
  failure: Failure,
  { colour }: { readonly colour: boolean },
): string => {
  const paint = painter(colour);
  return [
    heading(result, shorten(oneLine(failure.message), LONGEST_RESPONSE), paint),
    ...(saysBoth(failure) ? [] : comparison(failure, paint, true)),
    ...(failure.response === null ? [] : [line('response', responseText(failure.response))]),
    commandLine('curl', failure.curl),
    command('replay', failure.replay),
  ].join('\n');
};
