import { core, type Inputs, type RunContext, smoke, type Tiered } from '../../../src/check/index.ts';
import { testedOperations } from './operations.ts';

/** Marks one of every `step` inputs, as core unless another mark is given. Lists are ordered by kind, so some of each kind are marked. */
export const everyNth = <Input>(
  step: number,
  inputs: readonly Input[],
  mark: (input: Input) => Tiered<Input> = core,
): Inputs<Input> => inputs.map((input, index) => (index % step === 0 ? mark(input) : input));

/** Marks inputs of a longer list as core. */
export const coreWhere = <Input>(
  inputs: readonly Input[],
  isCore: (input: Input) => boolean,
): Inputs<Input> => inputs.map((input) => (isCore(input) ? core(input) : input));

/** The same by the label. Each label is that of an input: otherwise a mark would be lost with a new word. */
export const coreNamed = <Input>(
  inputs: readonly Input[],
  labels: readonly string[],
  labelOf: (input: Input) => string,
): Inputs<Input> => {
  const lost = labels.find((label) => !inputs.some((input) => labelOf(input) === label));
  if (lost !== undefined) throw new Error(`No input is labelled ${lost}.`);
  return coreWhere(inputs, (input) => labels.includes(labelOf(input)));
};

/** Marks each input on one of all operations, in turn, as smoke. */
export const diagonal = <Input>(run: RunContext, inputs: readonly Input[]): Inputs<Input> => {
  const operations = testedOperations(run).length;
  return inputs.map((input, index) =>
    index % operations === Math.floor(index / operations) % operations ? smoke(input) : input,
  );
};

/**
 * Keeps every second of inputs on all operations: a server rarely reads keys in another way on one operation. Generated cases draw from
 * all of them.
 */
export const everySecond = <Input>(run: RunContext, inputs: Inputs<Input>): Inputs<Input> => {
  const operations = testedOperations(run).length;
  return inputs.filter((_, index) => (Math.floor(index / operations) + (index % operations)) % 2 === 0);
};
