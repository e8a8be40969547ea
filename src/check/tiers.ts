/** When a run on a budget sends a case: smoke first, then core, then full. Other runs do not look at tiers. */
export type Tier = 'smoke' | 'core' | 'full';

const tier = Symbol('tier');

/** An input with the tier of its case. */
export interface Tiered<Input> {
  readonly [tier]: Exclude<Tier, 'full'>;
  readonly input: Input;
}

/** Inputs as a check lists them: marked with a tier or not. */
export type Inputs<Input> = readonly (Input | Tiered<Input>)[];

/** Marks an input whose case every run sends, even one of 60 requests: what fails on most broken servers. */
export const smoke = <Input>(input: Input): Tiered<Input> => ({ [tier]: 'smoke', input });

/** Marks an input whose case a run of 300 requests sends: one example of each kind of bug. */
export const core = <Input>(input: Input): Tiered<Input> => ({ [tier]: 'core', input });

const isTiered = <Input>(input: Input | Tiered<Input>): input is Tiered<Input> =>
  typeof input === 'object' && input !== null && tier in input;

/** The input itself, without its mark. */
export const inputOf = <Input>(marked: Input | Tiered<Input>): Input =>
  isTiered(marked) ? marked.input : marked;

/** The tier of an input; full without a mark. */
export const tierOf = (input: unknown): Tier => (isTiered(input) ? input[tier] : 'full');

/** Other inputs with the same marks. */
export const mapInputs = <Input, Other>(
  inputs: Inputs<Input>,
  change: (input: Input) => Other,
): Inputs<Other> =>
  inputs.map((input) => (isTiered(input) ? { ...input, input: change(input.input) } : change(input)));
