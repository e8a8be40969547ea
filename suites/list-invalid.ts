import fc from 'fast-check';
import type { ApiDocument, Parameter } from '../src/document/api-document.ts';
import { fewer, plainerTexts } from '../src/generate/narrowing.ts';
import { parameterViolations } from '../src/generate/parameters.ts';
import { memoised } from '../src/memo/memo.ts';
import { excerpt } from '../src/oracle/rule.ts';
import type { CaseContext, Check } from '../src/run/check.ts';
import type { Fixtures } from '../src/run/fixtures.ts';
import { listPets } from '../src/run/probes.ts';
import { ensureMoreThan } from './support/ensure-store-size.ts';
import { observeAnswer } from './support/observed.ts';
import { type OddText, smallerOddTexts } from './support/odd-query.ts';

const violationsOf = memoised((document: ApiDocument) =>
  memoised((parameter: Parameter) => parameterViolations(parameter, document.root)),
);

const oddParameter =
  (name: 'limit' | 'status', most: number) =>
  ({ document }: Fixtures): readonly OddText[] => {
    const parameter = document.operations
      .find(({ id }) => id === 'listPets')
      ?.parameters.find((each) => each.name === name);
    if (parameter === undefined) return [];
    const texts = violationsOf(document)(parameter).flatMap(({ label, examples }) =>
      examples.slice(0, most).map((text) => ({ label, text })),
    );
    return [...new Map(texts.map((odd) => [odd.text, odd])).values()];
  };

/** How the target takes a query that the document gives no meaning: 4xx and a valid 200 both pass. */
const tolerant =
  (requirement: string, parameter: 'limit' | 'status') =>
  async ({ label, text }: OddText, context: CaseContext) => {
    if (parameter === 'limit') await ensureMoreThan(context, context.fixtures.page.maximum);
    const probe = listPets({
      ...(parameter === 'limit' ? { limit: '' } : { status: { raw: '' } }),
      space: 'outside',
      label: label === '' ? excerpt(text, 80) : `${excerpt(text, 80)} (${label.replace(/^\w+: /, '')})`,
      expects: [
        {
          requirement,
          statuses: [200, '4xx'],
          because: 'an invalid value may be refused or ignored',
        },
      ],
    });
    const reading = await context.send({ ...probe, request: { ...probe.request, query: text } });
    observeAnswer(context, reading, requirement, `${parameter} that is invalid`);
  };

/** In place of a space alone: who takes it away has a limit that is out of bounds. */
const behindASpace = (odd: OddText, { page }: Fixtures): OddText =>
  odd.text === 'limit=%20' ? { label: 'a space before', text: `limit=%20${5 * page.maximum}` } : odd;

const isLong = ({ text }: OddText): boolean => text.length > 1_000;

/** With a status it is often read by code of its own; but then no answer is long enough to show that all are meant. */
const besideAStatus = ({ label, text }: OddText, { statuses }: Fixtures): OddText => ({
  label: `${label}, with a status`,
  text: `${text}&status=${statuses[0] ?? ''}`,
});

const outOfBoundsWithStatus = 'out of bounds, with a status';

/** Lists of one status are often cut in another place. Where no page is full, they tell nothing, and are not asked for. */
const besideStatuses = ({ page, statuses: [status = ''] }: Fixtures): readonly OddText[] =>
  ['0', '-1', `${10 * page.maximum}`].map((limit) => ({
    label: outOfBoundsWithStatus,
    text: `limit=${limit}&status=${status}`,
  }));
export const invalidLimit: Check<OddText> = {
  name: 'LIST-5 an invalid limit does no harm',
  gives: ['LIST-5'],
  phase: 'late',
  examples: (fixtures) => [
    ...oddParameter(
      'limit',
      2,
    )(fixtures).map((odd) => (isLong(odd) ? besideAStatus(odd, fixtures) : behindASpace(odd, fixtures))),
    { label: 'a negative limit that stands for none', text: 'limit=-1' },
    { label: 'given twice', text: 'limit=1&limit=1000' },
    { label: 'as an array', text: `limit%5B%5D=${5 * fixtures.page.maximum}` },
    { label: 'with a zero in front', text: `limit=0${5 * fixtures.page.maximum}` },
    // Who asks for one animal more than that, or adds an offset, overflows.
    { label: 'the largest int32', text: 'limit=2147483647' },
    { label: 'the largest int64', text: 'limit=9223372036854775807' },
    ...besideStatuses(fixtures),
  ],
  arbitrary: ({ page, statuses }) =>
    fc
      .tuple(
        fc.oneof(fc.integer({ max: page.minimum - 1 }), fc.integer({ min: page.maximum + 1 })),
        fc.constantFrom('', ...statuses.map((each) => `&status=${each}`)),
      )
      .map(([limit, status]) => ({ label: 'out of bounds', text: `limit=${limit}${status}` })),
  share: 0.16,
  smaller: ({ text }, { page }) =>
    smallerOddTexts('limit', text, {
      isValid: (value) => Number(value) >= page.minimum && Number(value) <= page.maximum,
      // What digits a number has is for its own case to say.
      plainer: (value) => fewer(value.length > 20 ? [...value] : []).map((some) => some.join('')),
    }),
  attempt: async (odd, context) => {
    const { listedAtStart, page } = context.fixtures;
    if (odd.label === outOfBoundsWithStatus && listedAtStart.length < page.maximum) return;
    await tolerant('LIST-5', 'limit')(odd, context);
  },
};

const oddStatuses = [
  '',
  "'",
  // In one text what ends a string, a pattern or an escape too early, a character of four bytes, and more than a column holds.
  `*{"'([\\$ \u{1f408}${'s'.repeat(300)}`,
  'constructor',
  '__proto__',
  'toString',
  // Still below what proxies take for too long.
  's'.repeat(4_000),
  'available,sold',
  '%',
];

export const invalidStatus: Check<OddText> = {
  name: 'LIST-7 an unknown status does no harm',
  gives: ['LIST-7'],
  phase: 'main',
  examples: (fixtures) => [
    // For a parameter that is any text one of each kind is enough.
    ...oddParameter('status', 1)(fixtures),
    // Beside a limit it is often read by code of its own.
    {
      label: 'given twice, a property and an apostrophe, with a limit',
      text: 'status=constructor&status=%27&limit=5',
    },
    { label: 'as an array', text: `status%5B%5D=${fixtures.statuses.slice(0, 2).join('&status%5B%5D=')}` },
    ...oddStatuses.map((status) => ({
      label: 'outside the enumeration',
      text: `status=${encodeURIComponent(status)}`,
    })),
    { label: 'outside the enumeration, with a limit', text: 'status=gone%27&limit=5' },
    { label: 'longer than a column holds', text: `status=${'s'.repeat(300)}` },
  ],
  smaller: ({ text }, { statuses }) =>
    smallerOddTexts('status', text, { isValid: (value) => statuses.includes(value), plainer: plainerTexts }),
  attempt: tolerant('LIST-7', 'status'),
};
