import fc, { type Arbitrary } from 'fast-check';
import { parameterViolations } from '../../src/generate/parameters.ts';
import { violations } from '../../src/generate/violations.ts';
import { memoised } from '../../src/memo/memo.ts';
import type { OperationUnderTest } from './operations.ts';
import { type GeneratedRequest, keyOf } from './request.ts';
import { plain } from './valid.ts';
import { isRequired, knownValuesOf } from './values.ts';

/** Of each rule, so many systematic violations are sent. */
const most = 2;

/** One way to leave what the document allows: examples, and any. */
interface Breaking {
  readonly examples: readonly GeneratedRequest[];
  readonly arbitrary: Arbitrary<GeneratedRequest> | null;
}

/** The document gives a 4xx for the operation: it says that requests may be wrong. */
export const mayBeRefused = ({ operation }: OperationUnderTest): boolean =>
  operation.responses.some(({ status }) => /^4/.test(status) || status === 'default');

const inParameters = (exercised: OperationUnderTest): readonly Breaking[] => {
  const base = plain(exercised);
  return knownValuesOf(exercised).parameters.flatMap(({ parameter }): readonly Breaking[] => {
    if (parameter.in === 'path' && !exercised.mayGuess) return [];
    const key = keyOf(parameter);
    const aim = parameter.in === 'path' ? 'made up' : base.aim;
    const broken = parameterViolations(parameter, exercised.document.root).map(
      ({ label, examples, arbitrary }): Breaking => {
        const sending = (text: string): GeneratedRequest => ({ ...base, aim, label, texts: { [key]: text } });
        return { examples: examples.slice(0, most).map(sending), arbitrary: arbitrary.map(sending) };
      },
    );
    if (!isRequired(parameter) || parameter.in === 'path') return broken;
    const { [key]: _, ...values } = base.values;
    return [
      { examples: [{ ...base, label: `${parameter.name} missing`, values }], arbitrary: null },
      ...broken,
    ];
  });
};

const inBody = (exercised: OperationUnderTest): readonly Breaking[] => {
  const base = plain(exercised);
  const { body, schema } = knownValuesOf(exercised);
  if (body === null || schema === null) return [];
  const texts: readonly GeneratedRequest[] = [
    { ...base, label: 'malformed JSON', body: { text: '{"' } },
    ...(body.required ? [{ ...base, label: 'no body', body: null }] : []),
  ];
  return [
    { examples: texts, arbitrary: null },
    ...violations(schema.schema, schema.root).map(({ label, examples, arbitrary }): Breaking => {
      const sending = (json: (typeof examples)[number]): GeneratedRequest => ({
        ...base,
        label,
        body: { json },
      });
      return { examples: examples.slice(0, most).map(sending), arbitrary: arbitrary.map(sending) };
    }),
  ];
};

const breakings = memoised((exercised: OperationUnderTest): readonly Breaking[] => [
  ...inParameters(exercised),
  ...inBody(exercised),
]);

/** Requests that break one rule of the document each. */
export const invalidExamples = (exercised: OperationUnderTest): readonly GeneratedRequest[] =>
  breakings(exercised).flatMap(({ examples }) => examples);

/** Any of them; null where no rule can be broken. */
export const invalidArbitrary = (exercised: OperationUnderTest): Arbitrary<GeneratedRequest> | null => {
  const arbitraries = breakings(exercised).flatMap(({ arbitrary }) =>
    arbitrary === null ? [] : [arbitrary],
  );
  return arbitraries.length === 0 ? null : fc.oneof(...arbitraries);
};
