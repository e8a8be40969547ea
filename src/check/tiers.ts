/** When a run with a budget sends a case: smoke first, then core, then full. Other runs ignore tiers. */
export type Tier = 'smoke' | 'core' | 'full';

const tier = Symbol('tier');

/** An input with the tier of its case. */
export interface Tiered<Input> {
  readonly [tier]: Exclude<Tier, 'full'>;
  readonly input: Input;
}

/** Inputs of a check, some of them marked with a tier. */
export type Inputs<Input> = readonly (Input | Tiered<Input>)[];

/** Marks an input that even a run of 60 requests sends, because its case fails on most broken servers. */
export const smoke = <Input>(input: Input): Tiered<Input> => ({ [tier]: 'smoke', input });

/** Marks an input that a run of 300 requests sends: one example of each kind of bug. */
export const core = <Input>(input: Input): Tiered<Input> => ({ [tier]: 'core', input });

const isTiered = <Input>(input: Input | Tiered<Input>): input is Tiered<Input> =>
  typeof input === 'object' && input !== null && tier in input;

/** The input itself, without its mark. */
export const inputOf = <Input>(marked: Input | Tiered<Input>): Input =>
  isTiered(marked) ? marked.input : marked;

/** The tier of an input: `full` if it is not marked. */
export const tierOf = (input: unknown): Tier => (isTiered(input) ? input[tier] : 'full');

/** Changes inputs and keeps their marks. */
export const mapInputs = <Input, Other>(
  inputs: Inputs<Input>,
  change: (input: Input, index: number) => Other,
): Inputs<Other> =>
  inputs.map((input, index) =>
    isTiered(input) ? { ...input, input: change(input.input, index) } : change(input, index),
  );
