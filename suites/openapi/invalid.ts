import fc, { type Arbitrary } from 'fast-check';
import type { ApiDocument, Parameter } from '../../src/check/document.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/check/index.ts';
import { memoized } from '../../src/check/memoized.ts';
import { acceptedBy, lenientParses, parameterViolations, type Violation } from '../../src/check/schemas.ts';
import { brokenRule, levelOf, plainTexts, plainViolations, withinOrdinary } from './broken-rule.ts';
import type { OperationUnderTest } from './operations.ts';
import { usualAlternative } from './ordinary.ts';
import { pagingOf } from './relations.ts';
import { type BrokenRule, type GeneratedRequest, keyOf } from './request.ts';
import { plain } from './valid.ts';
import { bodyViolationsOf, isRequired, knownValuesOf } from './values.ts';

/** How many systematic violations of each rule are sent. */
const most = 2;

/** One kind of violation of the document. */
interface InvalidRequests {
  /** The parameter, or the place in the body. */
  readonly place: string;
  readonly examples: readonly GeneratedRequest[];
  readonly arbitrary: Arbitrary<GeneratedRequest> | null;
}

/** The document lists a 4xx for the operation: requests may be invalid. */
export const mayBeRefused = ({ operation }: OperationUnderTest): boolean =>
  operation.responses.some(({ status }) => /^4/.test(status) || status === 'default');

/** Rules whose near misses a lenient server accepts: a listed value in upper case, a day that does not exist. */
const readLeniently: readonly string[] = ['enum', 'const', 'pattern', 'format'];

/** A rule that any server that looks at this level enforces. */
const strictRule = (level: BrokenRule['level'], place: BrokenRule['in']): BrokenRule => ({
  kind: null,
  isLenient: false,
  level,
  in: place,
});

const brokenSyntax = strictRule('syntax', 'body');

/** Many servers use the nearest bound instead of a page size or a page beyond it. Null: it is another rule. */
const pagingRule = (
  { document, operation }: OperationUnderTest,
  parameter: Parameter,
  keyword: string,
): Pick<BrokenRule, 'kind' | 'isLenient' | 'pagedBy'> | null => {
  if (!/minimum|maximum/i.test(keyword)) return null;
  const role = Object.entries(pagingOf(operation, document.root)).find(([, each]) => each === parameter);
  return role === undefined
    ? null
    : { kind: `${keyword} of ${role[0]}`, isLenient: true, pagedBy: parameter.name };
};

/** Many frameworks read an empty value in a query as none. */
const isReadAsAbsent = (parameter: Parameter, written: string): boolean =>
  parameter.in === 'query' && !isRequired(parameter) && /=(\+|%20)*$/.test(written);

/** A text that is far from every valid value of a parameter. */
const plainlyInvalid = (exercised: OperationUnderTest, parameter: Parameter): readonly InvalidRequests[] => {
  const { root } = exercised.document;
  const accepts = acceptedBy(parameter.schema, root);
  const flat = usualAlternative(parameter.schema, root);
  if (parameter.in === 'path' || flat === null || !flat.kinds.has('string') || flat.kinds.has('object'))
    return [];
  const text = plainTexts.find((each) => lenientParses(each).every((reading) => !accepts(reading)));
  if (text === undefined) return [];
  const base = plain(exercised);
  const request = {
    ...base,
    label: `${parameter.name}=${text}`,
    values: { ...base.values, [keyOf(parameter)]: text },
    violation: strictRule('value', parameter.in),
  };
  return [{ place: keyOf(parameter), examples: [request], arbitrary: null }];
};

const violationsIn = memoized(({ root }: ApiDocument) =>
  memoized((parameter: Parameter) => parameterViolations(parameter, root, most)),
);

const inParameters = (exercised: OperationUnderTest): readonly InvalidRequests[] =>
  knownValuesOf(exercised).parameters.flatMap(({ parameter }) =>
    parameter.in === 'path' && !exercised.mayGuess ? [] : inParameter(exercised, parameter),
  );

const inParameter = (exercised: OperationUnderTest, parameter: Parameter): readonly InvalidRequests[] => {
  const base = plain(exercised);
  const key = keyOf(parameter);
  // Each text has the right type: a number that is too long breaks its bound.
  const isText = usualAlternative(parameter.schema, exercised.document.root)?.kinds.has('string') === true;
  const broken = violationsIn(exercised.document)(parameter).map(
    ({ keyword, label: text, whole, isLenient, isMalformed, examples, arbitrary }): InvalidRequests => {
      const level = isMalformed ? 'syntax' : isText ? 'value' : levelOf(keyword);
      const sending = (written: string): GeneratedRequest => ({
        ...base,
        idSource: parameter.in === 'path' ? 'made up' : base.idSource,
        label: whole ? `${parameter.name}: ${text}` : text,
        texts: { [key]: written },
        violation: {
          ...strictRule(level, parameter.in),
          isLenient: isLenient || readLeniently.includes(keyword),
          ...(isReadAsAbsent(parameter, written)
            ? { isLenient: true }
            : pagingRule(exercised, parameter, keyword)),
        },
      });
      return { place: key, examples: examples.map(sending), arbitrary: arbitrary.map(sending) };
    },
  );
  const { [key]: _, ...values } = base.values;
  const label = `${parameter.name} missing`;
  const missing = { ...base, label, values, violation: strictRule('presence', parameter.in) };
  const mayBeMissing = !isRequired(parameter) || parameter.in === 'path';
  return [
    ...(mayBeMissing ? [] : [{ place: key, examples: [missing], arbitrary: null }]),
    ...plainlyInvalid(exercised, parameter),
    ...broken,
  ];
};

const inBody = (exercised: OperationUnderTest): readonly InvalidRequests[] => {
  const base = plain(exercised);
  const { body, schema } = knownValuesOf(exercised);
  if (body === null || schema === null) return [];
  const [ordinary] = body.ordinary;
  // Many servers read no body as an empty object.
  const isOptionalOnly = schema.accepts({});
  const noBody = isOptionalOnly ? { ...brokenSyntax, kind: 'no body', isLenient: true } : brokenSyntax;
  const malformed = { ...base, label: 'malformed JSON', body: { text: '{"' }, violation: brokenSyntax };
  const texts: readonly GeneratedRequest[] = [
    ...(schema.form === 'json' ? [malformed] : []),
    ...(body.required ? [{ ...base, label: 'no body', body: null, violation: noBody }] : []),
  ];
  const ofRule = (rule: Violation): InvalidRequests => {
    const sending = (invalid: Json): GeneratedRequest => {
      const within = ordinary === undefined ? null : withinOrdinary(rule, invalid, ordinary.json, schema);
      const json = within ?? invalid;
      return { ...base, label: rule.label, body: { json }, violation: brokenRule(rule, json, schema) };
    };
    const plainest = ordinary === undefined ? [] : plainViolations(rule, ordinary.json, schema);
    const requests = [...plainest, ...rule.examples].map(sending);
    const isLenient = ({ violation }: GeneratedRequest) => violation?.isLenient === true;
    const [first, ...strict] = requests.filter((each) => !isLenient(each));
    const lenient = requests.filter(isLenient).slice(0, 1);
    return {
      place: rule.pointer,
      examples: [...(first === undefined ? [] : [first]), ...lenient, ...strict].slice(0, most),
      arbitrary: rule.arbitrary.map(sending),
    };
  };
  return [{ place: '', examples: texts, arbitrary: null }, ...bodyViolationsOf(exercised).map(ofRule)];
};

/** Requests that each violate one rule of the document, by rule. */
export const invalidRules = memoized((exercised: OperationUnderTest): readonly InvalidRequests[] => [
  ...inParameters(exercised),
  ...inBody(exercised),
]);

/** Requests that each violate one rule of the document. */
export const invalidExamples = (exercised: OperationUnderTest): readonly GeneratedRequest[] =>
  invalidRules(exercised).flatMap(({ examples }) => examples);

/** Requests whose body, a JSON object, breaks a rule that any server that validates enforces. */
export const invalidObjects = (
  exercised: OperationUnderTest,
): readonly { readonly label: string; readonly json: JsonObject }[] =>
  invalidExamples(exercised).flatMap(({ body, label, violation }) =>
    body !== null &&
    body !== plain(exercised).body &&
    'json' in body &&
    isJsonObject(body.json) &&
    violation?.isLenient === false
      ? [{ label, json: body.json }]
      : [],
  );

/** Any invalid request; null if no rule can be violated. */
export const invalidArbitrary = (exercised: OperationUnderTest): Arbitrary<GeneratedRequest> | null => {
  const arbitraries = invalidRules(exercised).flatMap(({ arbitrary }) =>
    arbitrary === null ? [] : [arbitrary],
  );
  return arbitraries.length === 0 ? null : fc.oneof(...arbitraries);
};
