import { defineProblem, ofResponse } from '../define-problem.ts';

type Dates = {
  readonly deprecation: string;
  readonly sunset: string;
};

/** Problems with the headers of a deprecated operation. */
export const deprecationKinds = {
  'deprecation-malformed': defineProblem<{ deprecation: string }>({
    example: { deprecation: 'true' },
    text: ({ deprecation }) => ({
      message: 'Deprecation is malformed',
      expected: 'Deprecation: @<Unix time>',
      actual: `Deprecation: ${deprecation}`,
    }),
  }),
  'sunset-before-deprecation': defineProblem<Dates>({
    example: { deprecation: '@1800000000', sunset: 'Thu, 05 Dec 2024 00:00:00 GMT' },
    text: ({ deprecation, sunset }) => ({
      message: 'Sunset is before Deprecation',
      expected: 'Sunset not before Deprecation',
      actual: `${deprecation}, ${sunset}`,
    }),
  }),
  'not-deprecated': defineProblem<Dates>({
    example: { deprecation: '@1800000000', sunset: '' },
    saysBothSides: true,
    text: ({ deprecation, sunset }, seen) => {
      const shown = [
        ...(deprecation === '' ? [] : [`Deprecation: ${deprecation}`]),
        ...(sunset === '' ? [] : [`Sunset: ${sunset}`]),
      ].join(', ');
      const wrong = `${shown}, although the document does not deprecate the operation`;
      return ofResponse(seen, wrong, 'no Deprecation, no Sunset', shown);
    },
  }),
  'sunset-malformed': defineProblem<{ sunset: string }>({
    example: { sunset: '2030-12-05' },
    text: ({ sunset }) => ({
      message: 'Sunset is not an HTTP-date',
      expected: 'Sunset: an HTTP-date',
      actual: `Sunset: ${sunset}`,
    }),
  }),
  'sunset-weekday': defineProblem<{ sunset: string; weekday: string }>({
    example: { sunset: 'Mon, 05 Dec 2030 00:00:00 GMT', weekday: 'Thu' },
    text: ({ sunset, weekday }) => ({
      message: 'The weekday of Sunset does not match its date',
      expected: `Sunset: ${weekday}…`,
      actual: `Sunset: ${sunset}`,
    }),
  }),
  /** `day`: the start of the day in the document, in milliseconds. */
  'sunset-date': defineProblem<{ sunset: string; day: number }>({
    example: { sunset: 'Fri, 06 Dec 2030 00:00:00 GMT', day: Date.UTC(2030, 11, 5) },
    text: ({ sunset, day }) => ({
      message: 'Sunset is not the day in the document',
      expected: `Sunset: ${new Date(day).toUTCString()}`,
      actual: `Sunset: ${sunset}`,
    }),
  }),
};
