import fc, { type Arbitrary } from 'fast-check';
import { distinct } from '../json/equal.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { acceptedBy, compileSchema } from '../json-schema/compile.ts';
import { boundedFilter } from '../json-schema/generate/bounded-filter.ts';
import { boundaries, valid } from '../json-schema/generate/valid.ts';
import { wantedValues } from '../json-schema/refusals.ts';
import { ifSatisfiable } from '../json-schema/schema.ts';
import { type Violation, violations } from '../json-schema/violate/violations.ts';
import type { Parameter } from './document.ts';
import { invalidTexts, malformedTexts } from './invalid-texts.ts';
import { lenientParses, lenientParsesOfText } from './lenient-parses.ts';
import { confusable, placeText, serializeParameter } from './serialize-parameter.ts';
import { usableValues } from './usable-values.ts';

/** The valid values of a parameter, as JSON; `serializeParameter` writes them. */
export interface ParameterValues {
  readonly arbitrary: Arbitrary<Json>;
  readonly boundaries: readonly Json[];
}

/** Texts that break one rule of a parameter, as they are sent (see `serializeParameter`). */
export interface ParameterViolation {
  readonly keyword: string;
  /** For people: `less than 1`, `letters`. */
  readonly label: string;
  /** The violation is of the whole value; otherwise the label names the part. */
  readonly whole: boolean;
  /** Some parsers read a valid value from it. */
  readonly isLenient: boolean;
  /** A server may refuse the text as a URL, before it looks at parameters. */
  readonly isMalformed: boolean;
  readonly examples: readonly string[];
  readonly arbitrary: Arbitrary<string>;
}

/**
 * Values that the schema of a parameter accepts and its style can write: no empty or dot path segment, no invalid header value.
 * Members that the style cannot write are left out, if they are optional.
 * @throws as `valid` does; UnsatisfiableSchema if the style can write no value
 */
export function validParameter(parameter: Parameter, root: unknown): ParameterValues {
  const accepts = acceptedBy(parameter.schema, root);
  const writable = writableBy(parameter, accepts);
  const fits = (value: Json) => canBeWritten(parameter, value) && accepts(value);
  return {
    arbitrary: boundedFilter(
      valid(parameter.schema, root).map(writable),
      fits,
      wantedValues.writable(parameter.style, parameter.in),
    ),
    boundaries: distinct(boundaries(parameter.schema, root).map(writable)).filter(fits),
  };
}

/** Returns the value of a parameter that is sent for a generated value. */
type Writable = (value: Json) => Json;

/**
 * Objects without the members that their style cannot write: null is undefined (RFC 6570 2.3), and OpenAPI defines no nested values. A
 * list that the schema requires is kept if the style repeats pairs, as most tools do.
 */
const writableBy = (parameter: Parameter, accepts: (value: Json) => boolean): Writable => {
  const repeats = parameter.style === 'deepObject' || (parameter.style === 'form' && parameter.explode);
  return (value) => {
    if (parameter.style === 'json' || !isJsonObject(value)) return value;
    const flat = membersWhere(value, (member) => member !== null && !isContainer(member));
    if (!repeats || accepts(flat)) return flat;
    return membersWhere(value, (member) => member !== null && !isJsonObject(member));
  };
};

const membersWhere = (value: JsonObject, keeps: (member: Json) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => keeps(member)));

/**
 * Every way to break one rule of a parameter. No text has a valid reading: `"1"` instead of an integer is not a violation in a query.
 * Includes texts that no JSON value is written as (`abc`, `0x1f`, `1e`).
 * @param mostExamples the maximal number of systematic texts for each rule
 * @throws as {@link validParameter} does
 */
export function parameterViolations(
  parameter: Parameter,
  root: unknown,
  mostExamples = Number.POSITIVE_INFINITY,
): readonly ParameterViolation[] {
  const validate = compileSchema(parameter.schema, root);
  const accepts = acceptedBy(parameter.schema, root);
  const invalid = (candidates: readonly Json[]) => !candidates.some(accepts);
  const values = boundaries(parameter.schema, root);
  const isJson = parameter.style === 'json';
  const containers = values.some(isContainer);
  const writable = writableBy(parameter, accepts);
  const fits = (value: Json) =>
    (isJson || containers || !isContainer(value)) &&
    canBeWritten(parameter, value) &&
    serializeParameter(parameter, value) !== '' &&
    invalid(lenientParses(value)) &&
    !(looseBoolean.test(String(value)) && !invalid([true, false]));
  const byRule = violations(parameter.schema, root)
    .filter((rule) => isJson || containers || !isOfContainers(rule))
    .flatMap(({ keyword, pointer, label, examples, arbitrary }) =>
      written(
        {
          keyword,
          label,
          whole: pointer === '',
          isLenient: containers && keyword === 'type',
          isMalformed: false,
        },
        usableValues({ examples, arbitrary }, { write: writable, fits, most: mostExamples }),
        parameter,
      ),
    );
  if (containers) return byRule;
  const texts = values.some((value) => typeof value === 'string')
    ? malformedTexts
    : [...invalidTexts, ...malformedTexts];
  const byText = texts
    .filter(({ text }) => fitsInPlace(parameter, text) && invalid(lenientParsesOfText(text)))
    .map(({ text, label, isPlain = false, isMalformed = false }) => ({
      keyword:
        lenientParsesOfText(text)
          .flatMap((reading) => validate(reading))
          .at(-1)?.keyword ?? 'type',
      label,
      whole: true,
      isLenient: !isPlain,
      isMalformed,
      examples: [placeText(parameter, text)],
      arbitrary: fc.constant(placeText(parameter, text)),
    }));
  return [...byRule, ...byText];
}

/** Texts that many frameworks read as a boolean. */
const looseBoolean = /^(0|1|0\.0|1\.0|t|f|y|n|true|false|yes|no|on|off)$/i;

function written(
  rule: Pick<ParameterViolation, 'keyword' | 'label' | 'whole' | 'isLenient' | 'isMalformed'>,
  usable: ReturnType<typeof usableValues>,
  parameter: Parameter,
): readonly ParameterViolation[] {
  if (usable === null) return [];
  const write = (value: Json) => serializeParameter(parameter, value);
  const examples = [...new Set(usable.examples.map(write))];
  return [{ ...rule, examples, arbitrary: usable.arbitrary.map(write) }];
}

const isContainer = (value: Json) => typeof value === 'object' && value !== null;
/** Tells whether only arrays and objects break a rule. A filter would search a thousand of them. */
const isOfContainers = ({ examples, arbitrary }: Violation) =>
  examples.every(isContainer) &&
  ifSatisfiable(() => fc.sample(arbitrary, { seed: 1, numRuns: 10 }))?.every(isContainer) === true;
/** The values of which a style writes each as text: items, and members or their items. */
const partsOf = (value: Json): readonly Json[] => {
  if (!isJsonObject(value)) return Array.isArray(value) ? value : [value];
  return Object.values(value).flatMap((member) =>
    Array.isArray(member) && member.length > 0 ? member : [member],
  );
};

function canBeWritten(parameter: Parameter, value: Json): boolean {
  const parts = partsOf(value);
  if (parameter.style !== 'json' && parts.some((part) => part === null || isContainer(part))) return false;
  const confusing = confusable(parameter);
  const names = isJsonObject(value) ? Object.keys(value) : [];
  const texts = [...parts, ...names].filter((part) => typeof part === 'string');
  if (texts.some((text) => !text.isWellFormed())) return false;
  if (
    parameter.style !== 'json' &&
    isContainer(value) &&
    texts.some((text) => confusing?.test(text) || text === '')
  )
    return false;
  const text = serializeParameter(parameter, value);
  return text !== '' ? fitsInPlace(parameter, text) : parameter.in === 'query' && !parameter.required;
}

/** RFC 9110 5.5 for headers; a path with an empty or dot segment is another path. */
function fitsInPlace(parameter: Parameter, text: string): boolean {
  if (parameter.in === 'header') return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text);
  return parameter.in !== 'path' || !['', '.', '..'].includes(text);
}
