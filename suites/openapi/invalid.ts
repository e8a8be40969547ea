import fc, { type Arbitrary } from 'fast-check';
import { memoized } from '../../src/check/memoized.ts';
import { parameterViolations } from '../../src/check/schemas.ts';
import type { OperationUnderTest } from './operations.ts';
import { type GeneratedRequest, keyOf } from './request.ts';
import { plain } from './valid.ts';
import { bodyViolationsOf, isRequired, knownValuesOf } from './values.ts';

/** How many systematic violations of each rule are sent. */
const most = 2;

/** One kind of violation of the document. */
interface InvalidRequests {
  readonly examples: readonly GeneratedRequest[];
  readonly arbitrary: Arbitrary<GeneratedRequest> | null;
}

/** The document lists a 4xx for the operation: requests may be invalid. */
export const mayBeRefused = ({ operation }: OperationUnderTest): boolean =>
  operation.responses.some(({ status }) => /^4/.test(status) || status === 'default');

const inParameters = (exercised: OperationUnderTest): readonly InvalidRequests[] => {
  const base = plain(exercised);
  return knownValuesOf(exercised).parameters.flatMap(({ parameter }): readonly InvalidRequests[] => {
    if (parameter.in === 'path' && !exercised.mayGuess) return [];
    const key = keyOf(parameter);
    const idSource = parameter.in === 'path' ? 'made up' : base.idSource;
    const broken = parameterViolations(parameter, exercised.document.root).map(
      ({ label: text, whole, examples, arbitrary }): InvalidRequests => {
        const label = whole ? `${parameter.name}: ${text}` : text;
        const sending = (text: string): GeneratedRequest => ({
          ...base,
          idSource,
          label,
          texts: { [key]: text },
        });
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

const inBody = (exercised: OperationUnderTest): readonly InvalidRequests[] => {
  const base = plain(exercised);
  const { body, schema } = knownValuesOf(exercised);
  if (body === null) return [];
  const texts: readonly GeneratedRequest[] = [
    ...(schema?.form === 'json' ? [{ ...base, label: 'malformed JSON', body: { text: '{"' } }] : []),
    ...(body.required ? [{ ...base, label: 'no body', body: null }] : []),
  ];
  return [
    { examples: texts, arbitrary: null },
    ...bodyViolationsOf(exercised).map(({ label, examples, arbitrary }): InvalidRequests => {
      const sending = (json: (typeof examples)[number]): GeneratedRequest => ({
        ...base,
        label,
        body: { json },
      });
      return { examples: examples.slice(0, most).map(sending), arbitrary: arbitrary.map(sending) };
    }),
  ];
};

const invalidRequests = memoized((exercised: OperationUnderTest): readonly InvalidRequests[] => [
  ...inParameters(exercised),
  ...inBody(exercised),
]);

/** Requests that each violate one rule of the document. */
export const invalidExamples = (exercised: OperationUnderTest): readonly GeneratedRequest[] =>
  invalidRequests(exercised).flatMap(({ examples }) => examples);

/** Any invalid request; null if no rule can be violated. */
export const invalidArbitrary = (exercised: OperationUnderTest): Arbitrary<GeneratedRequest> | null => {
  const arbitraries = invalidRequests(exercised).flatMap(({ arbitrary }) =>
    arbitrary === null ? [] : [arbitrary],
  );
  return arbitraries.length === 0 ? null : fc.oneof(...arbitraries);
};
