import { core, type Inputs, type RunContext, smoke, type Tiered } from '../../../src/check/index.ts';
import { testedOperations } from './operations.ts';

/** Marks one of every `step` inputs, as core unless another mark is given. Lists are ordered by kind, so some of each kind are marked. */
export const everyNth = <Input>(
  step: number,
  inputs: readonly Input[],
  mark: (input: Input) => Tiered<Input> = core,
): Inputs<Input> => inputs.map((input, index) => (index % step === 0 ? mark(input) : input));

/** Of inputs on every operation, marks each on one operation, in turn, as smoke. */
export const diagonal = <Input>(run: RunContext, inputs: readonly Input[]): Inputs<Input> =>
  everyNth(testedOperations(run).length + 1, inputs, smoke);
