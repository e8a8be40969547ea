import { faults } from '../../src/reference/faults/index.ts';
import type { Fault } from '../../src/reference/patch.ts';
import { hashOf } from '../../src/util/hash.ts';
import { randomFrom } from '../../src/util/random.ts';

/** Mistakes of a first day, which most servers begin with. */
export const ordinary: readonly string[] = [
  ...['no-rate-headers', 'no-rate-headers-on-400', 'no-rate-headers-on-401', 'no-rate-headers-on-404'],
  ...['no-reset-header', 'reset-in-milliseconds', 'reset-as-seconds-left', 'reset-as-an-http-date'],
  ...['errors-without-code', 'errors-in-an-envelope', 'error-status-as-string', 'error-messages-in-an-array'],
  ...['malformed-json-as-framework-detail', 'unknown-animal-as-a-page', 'malformed-json-as-a-page'],
  ...['error-status-always-400', 'pet-id-refused-with-a-detail', 'pages-for-browsers'],
  ...['missing-key-forbidden', 'invalid-key-forbidden', 'body-validated-before-the-key'],
  ...['limit-validated-before-the-key', 'animal-looked-up-before-the-key', 'key-without-a-scheme'],
  ...[
    'list-wrapped-in-data',
    'list-enveloped-with-limit',
    'list-labelled-as-html',
    'errors-labelled-as-problems',
  ],
  ...['no-default-limit', 'limit-ignored', 'limit-one-too-many', 'limit-of-one-hundred-refused'],
  ...['limit-without-maximum', 'negative-limit-fails', 'status-filter-ignored', 'unknown-status-fails'],
  ...['status-filtered-after-paging', 'created-with-200', 'created-without-its-category', 'status-required'],
  ...['status-null-by-default', 'ids-as-strings', 'ids-all-the-same', 'id-in-the-body-replaces'],
  ...['wrong-types-are-422', 'malformed-json-is-422', 'null-category-is-zero', 'status-in-any-case'],
  ...['category-text-made-number', 'name-optional', 'category-optional', 'fraction-stored'],
  ...['null-body-crashes', 'malformed-json-crashes', 'overflow-crashes', 'stored-before-validated'],
  ...['category-through-a-double', 'category-wraps-at-32-bits', 'names-cut-at-fifty', 'names-html-escaped'],
  ...['unknown-id-answered-with-null', 'unknown-id-fails', 'pet-id-read-by-parse-int', 'status-not-stored'],
  ...['pet-id-in-letters-fails', 'huge-id-crashes', 'malformed-percent-crashes', 'orders-not-found'],
  ...['collection-redirected-to-a-slash', 'list-in-pages-of-results', 'list-in-pages-of-content'],
  ...['wrong-keys-forbidden', 'errors-as-detail'],
  ...['errors-with-a-status-code', 'errors-of-the-router-as-pages', 'no-rate-headers-on-malformed-bodies'],
  ...['no-rate-headers-outside-of-handlers', 'null-body-shows-its-exception', 'reset-as-milliseconds-left'],
];

export interface DrawnServer {
  readonly seed: number;
  /** In the order in which they are applied. */
  readonly faults: readonly string[];
}

const fewest = 3;
const most = 10;
/** How many of the faults are ordinary. */
const ordinaryShare = 0.7;

/** Seen by any run, on a server with the usual store, date, and address. */
const isUsual = ({ needs, seedPets, now, requirement }: Fault): boolean =>
  needs === undefined && seedPets === undefined && now === undefined && requirement !== 'VER-1';

const byName = new Map(faults.filter(isUsual).map((fault) => [fault.name, fault]));

/**
 * Draws a server with 3 to 10 faults, each of another requirement: two faults of one requirement often replace the same code, and then
 * one of them is not there. `isFit`: enough can be tested in spite of the fault.
 */
export const drawServer = async (
  seed: number,
  isFit: (fault: string) => Promise<boolean>,
): Promise<DrawnServer> => {
  const random = randomFrom(hashOf(`server ${seed}`));
  const pick = <Value>(some: readonly Value[]): Value | undefined => some[Math.floor(random() * some.length)];
  const wanted = fewest + Math.floor(random() * (most - fewest + 1));
  const usual = ordinary.filter((name) => byName.has(name));
  const drawn: Fault[] = [];
  while (drawn.length < wanted) {
    const fault = byName.get(pick(random() < ordinaryShare ? usual : [...byName.keys()]) ?? '');
    if (fault === undefined || drawn.some(({ requirement }) => requirement === fault.requirement)) continue;
    if (await isFit(fault.name)) drawn.push(fault);
  }
  return { seed, faults: drawn.map(({ name }) => name) };
};
