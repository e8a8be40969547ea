import { core, type Inputs, type Json, type JsonObject } from '../../../src/check/index.ts';

type IsAnimal = (pet: JsonObject) => boolean;

const named =
  (accepts: (name: string) => boolean): IsAnimal =>
  ({ name }) =>
    typeof name === 'string' && accepts(name);

/** Integers that a double cannot represent exactly. Far beyond int64, some become infinite. */
const losesPrecision = (value: Json | undefined): boolean =>
  typeof value === 'bigint' && !(Number.isFinite(Number(value)) && BigInt(Number(value)) === value);

const inForms = (forms: readonly RegExp[]): readonly IsAnimal[] =>
  forms.map((form) => named((name) => name.length <= 64 && form.test(name)));

/** Animals that naive code corrupts, each in a different way: its integer, its status, its name. */
export const fragileAnimals: Inputs<IsAnimal> = [
  ({ categoryId }) => losesPrecision(categoryId),
  core(({ status }: JsonObject) => status === undefined),
  core(named((name) => name.length > 64)),
  ...inForms([/[<>&]/, /[^\x20-\x7e]/, /["'\\]/, / {2}|^ | $/, /^$/, /[\t\n]/]),
  // Names that another type would take: code that guesses types may guess in getPet alone.
  ...inForms([/^[1-9]\d*$/, /^0\d+$/, /^null$/, /^true$/, /^\d{4}-\d\d-\d\d$/, /^\[.*\]$/, /^".*"$/]).map(
    core,
  ),
  ...inForms([/^\d+e\d+$/i, /^0x/i, /^-?\d+\.\d+$/, /^NaN$/, /^yes$/]),
];
