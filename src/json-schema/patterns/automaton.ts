import { memoizedByValue } from '../../util/memoize.ts';
import { patternProblems } from '../refusals.ts';
import { InexpressiblePattern, type Node } from './syntax.ts';

/** The direction in which a text is read: a lookahead is matched backwards. */
type Direction = 1 | -1;

type State =
  | { readonly kind: 'character'; readonly accepts: (character: string) => boolean; readonly next: number }
  | { readonly kind: 'condition'; readonly holds: Condition; readonly next: number }
  | { readonly kind: 'fork'; readonly next: readonly number[] }
  | { readonly kind: 'accept' };

/** Prepared once for a text, then tested at its positions. */
type Condition = (text: Text) => (position: number) => boolean;

interface Text {
  readonly characters: readonly string[];
  /** Counts the steps of the automaton for this text. */
  readonly spend: (steps: number) => void;
}

interface Program {
  readonly states: readonly State[];
  readonly start: number;
  readonly direction: Direction;
}

/** The maximal number of states. Repetitions are expanded, and more states would need too much memory. */
const maxStates = 20_000;

/** The text would take more steps than allowed. */
export class OutOfSteps extends Error {
  override readonly name = 'OutOfSteps';
}

/**
 * Returns a test whether a text contains a match. It follows all possible matches at once, so it takes at most length × states steps.
 * @throws InexpressiblePattern if the automaton would be too large
 */
export function compileAutomaton(node: Node, unicode: boolean): (text: string, maxSteps: number) => boolean {
  const program = toProgram(node, 1);
  return (text, maxSteps) => {
    let left = maxSteps;
    const spend = (steps: number) => {
      left -= steps;
      if (left < 0) throw new OutOfSteps(patternProblems.manySteps(maxSteps));
    };
    const characters = unicode ? [...text] : text.split('');
    return matchEnds(program, { characters, spend }, true).includes(1);
  };
}

function toProgram(node: Node, direction: Direction): Program {
  const states: State[] = [];
  const add = (state: State): number => {
    if (states.length >= maxStates) throw new InexpressiblePattern(patternProblems.manyStates(maxStates));
    return states.push(state) - 1;
  };
  const start = link(node, add({ kind: 'accept' }), { add, states, direction });
  return { states, start, direction };
}

interface Builder {
  readonly add: (state: State) => number;
  readonly states: State[];
  readonly direction: Direction;
}

/** Adds the states of a node that lead to `next`, and returns the first of them. */
function link(node: Node, next: number, builder: Builder): number {
  const { add, direction } = builder;
  switch (node.kind) {
    case 'character':
      return add({ kind: 'character', accepts: characterTest(node.source, node.flags), next });
    case 'sequence': {
      const parts = direction === 1 ? node.parts.toReversed() : node.parts;
      return parts.reduce((following, part) => link(part, following, builder), next);
    }
    case 'choice':
      return add({ kind: 'fork', next: node.options.map((option) => link(option, next, builder)) });
    case 'repeat':
      return linkRepeat(node, next, builder);
    default:
      return add({ kind: 'condition', holds: conditionOf(node), next });
  }
}

function linkRepeat({ part, min, max }: Extract<Node, { kind: 'repeat' }>, next: number, builder: Builder) {
  const { add, states } = builder;
  let following = next;
  if (max === Number.POSITIVE_INFINITY) {
    following = add({ kind: 'fork', next: [next] });
    states[following] = { kind: 'fork', next: [next, link(part, following, builder)] };
  } else {
    for (let count = min; count < max; count += 1)
      following = add({ kind: 'fork', next: [next, link(part, following, builder)] });
  }
  for (let count = 0; count < min; count += 1) {
    const before = following;
    following = link(part, following, builder);
    if (following === before) break;
  }
  return following;
}

type Assertion = Exclude<Node, { kind: 'character' | 'sequence' | 'choice' | 'repeat' }>;

function conditionOf(node: Assertion): Condition {
  switch (node.kind) {
    case 'start':
      return ({ characters }) =>
        (position) =>
          position === 0 || (node.multiline && isLineEnd(characters[position - 1]));
    case 'end':
      return ({ characters }) =>
        (position) =>
          position === characters.length || (node.multiline && isLineEnd(characters[position]));
    case 'boundary': {
      const isWord = characterTest('\\w', node.flags);
      const isWordAt = (character: string | undefined) => character !== undefined && isWord(character);
      return ({ characters }) =>
        (position) =>
          (isWordAt(characters[position - 1]) !== isWordAt(characters[position])) !== node.negated;
    }
    case 'look': {
      const program = toProgram(node.part, node.behind ? 1 : -1);
      return (text) => {
        const found = matchEnds(program, text, false);
        return (position) => (found[position] === 1) !== node.negated;
      };
    }
  }
}

const isLineEnd = (character: string | undefined): boolean =>
  character !== undefined && /^[\n\r\u2028\u2029]$/.test(character);

/** Tests single characters with the native engine, each once. */
export function characterTest(source: string, flags: string): (character: string) => boolean {
  const expression = new RegExp(`^${source}$`, flags.replace('m', ''));
  return memoizedByValue((character) => expression.test(character));
}

/** Marks each position at which a match ends, in the direction of the program. */
function matchEnds({ states, start, direction }: Program, text: Text, firstOnly: boolean): Uint8Array {
  const { characters, spend } = text;
  const { length } = characters;
  const found = new Uint8Array(length + 1);
  const holds = states.map((state) =>
    state.kind === 'condition' ? rememberedCondition(state.holds, text) : null,
  );
  const enteredAt = new Int32Array(states.length).fill(-1);
  let waiting: number[] = [];
  for (let step = 0; step <= length; step += 1) {
    const position = direction === 1 ? step : length - step;
    const open = [start, ...waiting];
    waiting = [];
    const character = characters[direction === 1 ? position : position - 1];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (enteredAt[index] === step) continue;
      enteredAt[index] = step;
      spend(1);
      const state = states[index];
      if (state?.kind === 'fork') open.push(...state.next);
      else if (state?.kind === 'condition') {
        if (holds[index]?.(position)) open.push(state.next);
      } else if (state?.kind === 'character') {
        if (character !== undefined && state.accepts(character)) waiting.push(state.next);
      } else found[position] = 1;
    }
    if (firstOnly && found[position] === 1) return found;
  }
  return found;
}

/** Evaluates a lookaround only if a possible match reaches it. */
function rememberedCondition(condition: Condition, text: Text): (position: number) => boolean {
  let prepared: ((position: number) => boolean) | null = null;
  return (position) => {
    prepared ??= condition(text);
    return prepared(position);
  };
}
