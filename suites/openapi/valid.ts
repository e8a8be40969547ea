import fc, { type Arbitrary } from 'fast-check';
import type { Parameter } from '../../src/check/document.ts';
import type { Json } from '../../src/check/index.ts';
import { excerpt, sameJson, stringifyJson } from '../../src/check/json.ts';
import { memoized } from '../../src/check/memoized.ts';
import { distinct, dropParts } from '../../src/check/schemas.ts';
import { schemaAt } from './broken-rule.ts';
import { type Claim, claimedValues, claimsOf } from './claims.ts';
import { otherForms } from './drawn-texts.ts';
import { hasPathParameters, type OperationUnderTest } from './operations.ts';
import { isDrawnAt, isReference, type OrdinaryBody, ordinaryBody, valueAt, withValueAt } from './ordinary.ts';
import { type GeneratedRequest, keyOf, type PathIdSource } from './request.ts';
import { isRequired, type KnownValues, knownValuesOf } from './values.ts';

/** How many systematic values of each parameter and of the body are sent. */
const mostOfParameter = 12;
const mostOfBody = 15;
const mostClaims = 60;

type KnownParameter = KnownValues['parameters'][number];

const valuesWhere = (
  { parameters }: KnownValues,
  keep: (parameter: Parameter) => boolean,
): GeneratedRequest['values'] =>
  Object.fromEntries(
    parameters
      .filter(({ parameter }) => keep(parameter))
      .flatMap(({ parameter, values: { examples } }): [string, Json][] =>
        examples[0] === undefined ? [] : [[keyOf(parameter), examples[0]]],
      ),
  );

const jsonBody = (json: Json | undefined): GeneratedRequest['body'] => (json === undefined ? null : { json });

/** The simplest request: the required parameters, and a body if the operation has one. */
export const plain = memoized((exercised: OperationUnderTest): GeneratedRequest => {
  const vocabulary = knownValuesOf(exercised);
  return {
    label: '',
    idSource: usualIdSource(exercised),
    values: valuesWhere(vocabulary, isRequired),
    texts: {},
    body: jsonBody(vocabulary.body?.ordinary[0]?.json ?? vocabulary.body?.examples[0]),
  };
});

/** An existing resource, to see more than 404; a made-up one if none is found. */
const usualIdSource = ({ operation, mayGuess }: OperationUnderTest): PathIdSource => {
  if (!hasPathParameters(operation)) return 'made up';
  return mayGuess ? 'existing if possible' : 'existing';
};

/** Every systematic valid request: boundary values of each parameter and of the body, everything else plain. */
export const validExamples = memoized((exercised: OperationUnderTest): readonly GeneratedRequest[] => {
  const vocabulary = knownValuesOf(exercised);
  const base = plain(exercised);
  const { body } = vocabulary;
  const everything = { ...base, label: 'every parameter', values: valuesWhere(vocabulary, () => true) };
  const varied = vocabulary.parameters.flatMap((each) =>
    each.parameter.in === 'path' && !exercised.mayGuess ? [] : ofParameter(exercised, each),
  );
  const bodies = [
    ...claimedBodies(exercised),
    ...spread((body?.examples ?? []).slice(1), mostOfBody).map(
      (json): GeneratedRequest => ({ ...base, label: `the body ${shown(json)}`, body: { json } }),
    ),
  ];
  return [
    hasPathParameters(exercised.operation) ? { ...base, idSource: 'existing' } : base,
    ...(vocabulary.parameters.every(({ parameter }) => isRequired(parameter)) ? [] : [everything]),
    ...varied,
    ...(body === null || body.required ? [] : [{ ...base, label: 'no body', body: null }]),
    ...bodies,
  ];
});

const usualKind = { members: 'all', days: 'future', examples: 'all' } as const;

/** Requests that differ in one parameter. The values that the document names come first, each with an ordinary twin. */
const ofParameter = (
  exercised: OperationUnderTest,
  { parameter, values }: KnownParameter,
): readonly GeneratedRequest[] => {
  const base = plain(exercised);
  const { root } = exercised.document;
  const { schema } = parameter;
  const key = keyOf(parameter);
  const usual = ordinaryBody(schema, root, usualKind)?.json ?? values.examples[0];
  const isNamed = parameter.in !== 'path' && !isReference(parameter.name) && usual !== undefined;
  const named = isNamed ? claimedValues(schema, root, usual) : [];
  const twin = usual === undefined ? base : { ...base, values: { ...base.values, [key]: usual } };
  return distinct([...named.filter(isWritable(parameter)), ...values.examples])
    .slice(0, mostOfParameter)
    .map(
      (value): GeneratedRequest => ({
        ...base,
        label: parameter.in === 'path' ? '' : `${parameter.name}=${shown(value)}`,
        idSource: parameter.in === 'path' ? 'made up' : base.idSource,
        values: { ...base.values, [key]: value },
        ...(named.includes(value) ? { twin } : {}),
      }),
    );
};

/** Text that is empty or not ASCII is not sent in a header. */
const isWritable =
  ({ in: place, style }: Parameter) =>
  (value: Json): boolean =>
    value !== null &&
    (style === 'json' || typeof value !== 'object') &&
    (place !== 'header' || /^[\x21-\x7e]+$/.test(String(value)));

/** Bodies with one value that the document names, everything else ordinary. */
const claimedBodies = (exercised: OperationUnderTest): readonly GeneratedRequest[] => {
  const { body, schema } = knownValuesOf(exercised);
  const [ordinary] = body?.ordinary ?? [];
  if (ordinary === undefined || schema?.form !== 'json') return [];
  const base = plain(exercised);
  // The values of a place follow each other, so the last claim has the others of its place right behind it.
  const all = claimsOf(ordinary, schema.schema, schema.root)
    .take(mostClaims + mostStates)
    .toArray();
  const sending = ({ steps, value, json }: Claim): GeneratedRequest => {
    const place = steps.join('.');
    const isFree =
      (typeof value === 'string' || Array.isArray(value)) &&
      schemaAt(schema.schema, schema.root, steps)?.values === null;
    return {
      ...base,
      label: value === undefined ? `no ${place}` : `${place} ${shown(value)}`,
      body: { json },
      twin: base,
      steps,
      named: value,
      ...(isFree ? { isFree: true as const } : {}),
    };
  };
  const alikeIn = ({ steps, value }: Claim, usual: Json): readonly string[] => {
    const flat = schemaAt(schema.schema, schema.root, steps);
    const [before, text] = [valueAt(usual, steps), value];
    if (flat === null || flat.patterns.length === 0 || typeof before !== 'string') return [];
    return (
      otherForms(flat, schema.root, before)
        .find(([first]) => first === text)
        ?.slice(1) ?? []
    );
  };
  return all.slice(0, mostClaims).map((claim): GeneratedRequest => {
    const request = sending(claim);
    const near = nextTo(claim, ordinary.json);
    const states = hasPathParameters(exercised.operation)
      ? listedBeside(ordinary, claim, all).map((other) => ({ before: sending(other), request }))
      : [];
    const others =
      claim.value === undefined
        ? claimsOf(ordinary, schema.schema, schema.root, (other) => isListedBeside(ordinary, other, claim))
            .take(mostStates)
            .map((other) => ({
              before: sending(other),
              request: { ...request, body: { json: withValueAt(other.json, claim.steps, undefined) } },
            }))
            .toArray()
        : states;
    const alike = alikeIn(claim, ordinary.json).map(
      (text): GeneratedRequest => ({
        ...request,
        body: { json: withValueAt(claim.json, claim.steps, text) },
      }),
    );
    return {
      ...request,
      ...(alike.length === 0 ? {} : { alike }),
      ...(near === null || !schema.accepts(near) ? {} : { near: { ...base, body: { json: near } } }),
      ...(others.length === 0 ? {} : { others }),
    };
  });
};

/** The body with the whole number that is one nearer to the ordinary one. Null: the claim is about something else. */
const nextTo = ({ steps, value }: Claim, ordinary: Json): Json | null => {
  const usual = valueAt(ordinary, steps);
  if (typeof value !== 'bigint' || typeof usual !== 'bigint') return null;
  return withValueAt(ordinary, steps, value > usual ? value - 1n : value + 1n);
};

const mostStates = 5;

const isListedText = (ordinary: OrdinaryBody, { steps, value }: Claim): boolean =>
  typeof value === 'string' && /^[\w-]{1,40}$/.test(value) && !isDrawnAt(ordinary, steps);

/** The other claims about a text that the document lists. */
const listedBeside = (ordinary: OrdinaryBody, claim: Claim, all: readonly Claim[]): readonly Claim[] =>
  isListedText(ordinary, claim)
    ? all
        .filter((other) => other.value !== claim.value && sameJson([...other.steps], [...claim.steps]))
        .slice(0, mostStates)
    : [];

/** Tells whether a claim is about a listed value beside a member that is left out: a rule of the business may require it with some of them. */
const isListedBeside = (ordinary: OrdinaryBody, other: Claim, leftOut: Claim): boolean =>
  (typeof other.value === 'boolean' || isListedText(ordinary, other)) &&
  !sameJson(other.steps.slice(0, leftOut.steps.length), [...leftOut.steps]);

/** With some of the optional parameters, or none. */
export const smallerValid =
  (exercised: OperationUnderTest) =>
  (sending: GeneratedRequest): Iterable<GeneratedRequest> => {
    if (sending.parts !== undefined) return sending.parts;
    const optional = exercised.operation.parameters.filter(
      (parameter) => !isRequired(parameter) && sending.values[keyOf(parameter)] !== undefined,
    );
    const kept = optional.length === 0 ? [] : [[], ...dropParts(optional)];
    return kept.map((some): GeneratedRequest => {
      const left = optional.filter((parameter) => !some.includes(parameter)).map(keyOf);
      const values = Object.entries(sending.values).filter(([key]) => !left.includes(key));
      const label = some.map((each) => `${each.name}=${shown(sending.values[keyOf(each)] ?? null)}`);
      return { ...sending, label: label.join(' and '), values: Object.fromEntries(values) };
    });
  };

/** Some of the values, evenly spread: alternatives of a schema are in sequence. */
export const spread = <Value>(values: readonly Value[], most: number): readonly Value[] =>
  values.length <= most
    ? values
    : Array.from({ length: most }, (_, turn) => Math.floor((turn * values.length) / most)).flatMap((at) =>
        values.slice(at, at + 1),
      );

const shown = (value: Json): string => excerpt(typeof value === 'string' ? value : stringifyJson(value), 60);

/** Any valid request. */
export const validArbitrary = memoized((exercised: OperationUnderTest): Arbitrary<GeneratedRequest> => {
  const { parameters, body } = knownValuesOf(exercised);
  const values = fc
    .tuple(
      ...parameters.map(({ parameter, values: { arbitrary } }) =>
        isRequired(parameter) ? arbitrary : fc.option(arbitrary, { nil: undefined }),
      ),
    )
    .map((drawn) =>
      Object.fromEntries(
        parameters.flatMap(({ parameter }, index): [string, Json][] => {
          const value = drawn[index];
          return value === undefined ? [] : [[keyOf(parameter), value]];
        }),
      ),
    );
  const bodies = body === null ? fc.constant(undefined) : body.arbitrary;
  const idSources = [usualIdSource(exercised), ...(exercised.mayGuess ? (['made up'] as const) : [])];
  return fc
    .record({ idSource: fc.constantFrom<PathIdSource>(...idSources), values, body: bodies })
    .map((drawn) => ({ ...drawn, label: '', texts: {}, body: jsonBody(drawn.body) }));
});
