import fc from 'fast-check';
import type { ApiDocument, Parameter } from '../../src/check/document.ts';
import {
  type CheckContext,
  core,
  defineCheck,
  type Inputs,
  listPets,
  type RunContext,
  smoke,
} from '../../src/check/index.ts';
import { excerpt } from '../../src/check/json.ts';
import { memoized } from '../../src/check/memoized.ts';
import { expecting } from '../../src/check/requests.ts';
import { dropParts, parameterViolations, simplerTexts } from '../../src/check/schemas.ts';
import { mapInputs } from '../../src/check/tiers.ts';
import { ensureMoreThan, onFullPages } from './support/ensure-store-size.ts';
import { type InvalidText, smallerInvalidTexts } from './support/invalid-query.ts';
import { observeResponse } from './support/observed.ts';
import { coreWhere } from './support/tiers.ts';

const violationsOf = memoized((document: ApiDocument) =>
  memoized((parameter: Parameter) => parameterViolations(parameter, document.root)),
);

const invalidParameter =
  (name: 'limit' | 'status', most: number) =>
  ({ document }: RunContext): readonly InvalidText[] => {
    const parameter = document.operations
      .find(({ id }) => id === 'listPets')
      ?.parameters.find((each) => each.name === name);
    if (parameter === undefined) return [];
    const texts = violationsOf(document)(parameter).flatMap(({ label, examples }) =>
      examples.slice(0, most).map((text) => ({ label, text })),
    );
    return [...new Map(texts.map((invalid) => [invalid.text, invalid])).values()];
  };

/** Sends a query with no documented meaning: 4xx and a valid 200 both pass. */
const tolerant =
  (requirement: string, parameter: 'limit' | 'status') =>
  async ({ label, text }: InvalidText, context: CheckContext) => {
    if (parameter === 'limit') await ensureMoreThan(context, context.run.page.maximum);
    const probe = listPets({
      ...(parameter === 'limit' ? { limit: '' } : { status: { raw: '' } }),
      inputSpace: 'undocumented',
      label: label === '' ? excerpt(text, 80) : `${excerpt(text, 80)} (${label})`,
      expects: [expecting(requirement, [200, '4xx'], 'an invalid value may be rejected or ignored')],
    });
    const response = await context.send({ ...probe, request: { ...probe.request, query: text } });
    observeResponse(context, response, requirement, `status for an invalid ${parameter}`);
  };

/** Replaces a lone space: a server that trims it reads a limit out of bounds. */
const withLeadingSpace = (invalid: InvalidText, { page }: RunContext): InvalidText =>
  invalid.text === 'limit=%20' ? { label: 'leading space', text: `limit=%20${5 * page.maximum}` } : invalid;

const isLong = ({ text }: InvalidText): boolean => text.length > 1_000;

/** Servers often read limit in separate code if there is a status. Then no response is long enough to show that it means all. */
const withAStatus = ({ label, text }: InvalidText, { statuses }: RunContext): InvalidText => ({
  label: `${label}, with status`,
  text: `${text}&status=${statuses[0] ?? ''}`,
});

/** Lists of one status are often cut by separate code. */
const outOfBoundsWithStatus = ({ page, statuses: [status = ''] }: RunContext): readonly InvalidText[] =>
  ['0', '-1', `${10 * page.maximum}`].map((limit) => ({
    label: 'limit out of bounds, with status',
    text: `limit=${limit}&status=${status}`,
  }));

/** Nothing, a word, a fraction, zero, and a digit for one library alone: a server may fail. */
const failingLimits: readonly string[] = ['', 'null', '1.5', '0', '%C2%B2'];
/** A server that has more than a page may return all of it. */
const unlimitedLimits: readonly string[] = ['101', '1e3'];

const tellingLimits = ({ listedWhole }: RunContext): readonly string[] =>
  [...failingLimits, ...(listedWhole ? [] : unlimitedLimits)].map((text) => `limit=${text}`);

/** Bytes that are not UTF-8, broken percent-encoding, and NUL, which some databases refuse. */
const fragileStatuses: readonly string[] = ['status=%FF%FE', 'status=%', 'status=%00'];

export const invalidLimit = defineCheck<InvalidText>({
  id: 'list-5-invalid-limit',
  title: 'an invalid limit is rejected or ignored',
  requirement: 'LIST-5',
  cost: onFullPages(1),
  phase: 'filled-store',
  inputs: (run) => [
    ...coreWhere(
      invalidParameter(
        'limit',
        2,
      )(run).map((invalid) => (isLong(invalid) ? withAStatus(invalid, run) : withLeadingSpace(invalid, run))),
      (invalid) => isLong(invalid) || tellingLimits(run).includes(invalid.text),
    ),
    smoke({ label: 'limit -1 (often means no limit)', text: 'limit=-1' }),
    core({ label: 'duplicate limit', text: 'limit=1&limit=1000' }),
    { label: 'limit as array', text: `limit%5B%5D=${5 * run.page.maximum}` },
    { label: 'leading zero', text: `limit=0${5 * run.page.maximum}` },
    // A server that adds one, or an offset, overflows.
    { label: 'largest int32', text: 'limit=2147483647' },
    core({ label: 'largest int64', text: 'limit=9223372036854775807' }),
    ...outOfBoundsWithStatus(run),
  ],
  arbitrary: ({ page, statuses }) =>
    fc
      .tuple(
        fc.oneof(fc.integer({ max: page.minimum - 1 }), fc.integer({ min: page.maximum + 1 })),
        fc.constantFrom('', ...statuses.map((each) => `&status=${each}`)),
      )
      .map(([limit, status]) => ({ label: 'limit out of bounds', text: `limit=${limit}${status}` })),
  share: 0.04,
  shrink: ({ text }, { page }) =>
    smallerInvalidTexts('limit', text, {
      isValid: (value) => Number(value) >= page.minimum && Number(value) <= page.maximum,
      // Other cases test which digits matter.
      plainer: (value) => dropParts(value.length > 20 ? [...value] : []).map((some) => some.join('')),
    }),
  run: tolerant('LIST-5', 'limit'),
});

const invalidStatuses: Inputs<string> = [
  core(''),
  "'",
  // One text that ends strings, patterns, and escapes early, has a 4-byte character, and is longer than a database column.
  smoke(`*{"'([\\$ \u{1f408}${'s'.repeat(300)}`),
  'constructor',
  '__proto__',
  // Below the length that proxies reject.
  's'.repeat(4_000),
  'available,sold',
  '%',
];

export const invalidStatus = defineCheck<InvalidText>({
  id: 'list-7-unknown-status',
  title: 'an unknown status is rejected or ignored',
  requirement: 'LIST-7',
  inputs: (run) => [
    // Any text is possible for this parameter: one of each kind is enough.
    ...coreWhere(invalidParameter('status', 1)(run), ({ text }) => fragileStatuses.includes(text)),
    // Servers often read status in separate code if there is a limit.
    core({
      label: 'duplicate status (constructor and apostrophe), with limit',
      text: 'status=constructor&status=%27&limit=5',
    }),
    core({
      label: 'status as array',
      text: `status%5B%5D=${run.statuses.slice(0, 2).join('&status%5B%5D=')}`,
    }),
    ...mapInputs(invalidStatuses, (status) => ({
      label: 'unknown status',
      text: `status=${encodeURIComponent(status)}`,
    })),
    { label: 'unknown status, with limit', text: 'status=gone%27&limit=5' },
  ],
  shrink: ({ text }, { statuses }) =>
    smallerInvalidTexts('status', text, {
      isValid: (value) => statuses.includes(value),
      plainer: simplerTexts,
    }),
  run: tolerant('LIST-7', 'status'),
});
