import { type Failure, isOfServer, type RequirementResult } from '../run/outcome.ts';
import type { Context, Run } from './bugs/context.ts';
import {
  cutTo32Bits,
  hasNullStatus,
  nameChange,
  otherClientError,
  otherSuccess,
  throughDouble,
  usesSentId,
} from './bugs/creations.ts';
import { defaultErrors, exceptionOf, isPageForBrowsers } from './bugs/errors.ts';
import {
  commonContentType,
  commonParts,
  isInMilliseconds,
  partlySent,
  stuckRemaining,
  timeLeft,
} from './bugs/headers.ts';
import { forbiddenKeys, judgedBeforeKey } from './bugs/keys.ts';
import {
  envelopeOf,
  filtersLate,
  hasOneTooMany,
  isBeyondBound,
  isBound,
  isIndexed,
  isNotStored,
  listsOfOthers,
} from './bugs/lists.ts';
import { slashOf } from './bugs/redirects.ts';
import { printedError } from './error-bodies.ts';
import { bugTexts as texts } from './text/bugs.ts';

export type { FailureOf, Run } from './bugs/context.ts';

/** Returns the sentence that names a bug, if the failure shows this bug. */
type Bug = (context: Context) => string | null;

/** A bug with facts; null: the failure does not show it. */
const bugWith =
  <Facts>(find: (context: Context) => Facts | null, text: (facts: Facts) => string): Bug =>
  (context) => {
    const facts = find(context);
    return facts === null ? null : text(facts);
  };

/** A bug without facts. `ids`: the requirements whose failures can show it; null for any. */
const when = (
  ids: readonly string[] | null,
  applies: (context: Context) => boolean,
  text: () => string,
): Bug =>
  bugWith(
    (context) => ((ids?.includes(context.requirement) ?? true) && applies(context) ? true : null),
    text,
  );

/** Common bugs of servers, the most specific first. */
const bugs = {
  leftBy: bugWith(({ failure }) => failure.leftBy ?? null, texts.leftBy),
  slash: bugWith(({ failure }) => slashOf(failure), texts.slash),
  printsErrors: bugWith(({ failure }) => printedError(failure), texts.printsErrors),
  exception: bugWith(exceptionOf, texts.exception),
  pagesForBrowsers: when(null, isPageForBrowsers, texts.pagesForBrowsers),
  idFromRequest: when(['CREATE-10'], usesSentId, texts.idFromRequest),
  forbidden: bugWith(forbiddenKeys, texts.forbidden),
  judgedFirst: bugWith(judgedBeforeKey, texts.judgedFirst),
  defaultErrorResponse: bugWith(defaultErrors, texts.defaultErrorResponse),
  headersNeverSent: bugWith(
    (context) => commonParts(context, 'header-missing', 'headers'),
    texts.headersNeverSent,
  ),
  headersPartlySent: bugWith(partlySent, texts.headersPartlySent),
  errorsOfAnotherShape: bugWith(
    (context) => (context.requirement === 'ERR-1' ? commonParts(context, 'schema', 'members') : null),
    texts.errorsOfAnotherShape,
  ),
  mediaTypeNeverSent: bugWith(commonContentType, texts.mediaTypeNeverSent),
  counterStuck: bugWith(stuckRemaining, texts.counterStuck),
  resetIsTimeLeft: bugWith(timeLeft, texts.resetIsTimeLeft),
  resetInMilliseconds: when(null, isInMilliseconds, texts.resetInMilliseconds),
  nullStatus: when(null, hasNullStatus, texts.nullStatus),
  indexedList: when(['LIST-1', 'GEN-3'], isIndexed, texts.indexedList),
  envelope: bugWith(({ failure }) => envelopeOf(failure), texts.envelope),
  anotherClientError: bugWith(otherClientError, texts.anotherClientError),
  anotherSuccess: bugWith(otherSuccess, texts.anotherSuccess),
  integerThroughDouble: when(['CREATE-9'], throughDouble, texts.integerThroughDouble),
  integerCutTo32Bits: when(['CREATE-9'], cutTo32Bits, texts.integerCutTo32Bits),
  nameChanged: bugWith(nameChange, texts.nameChanged),
  notStored: when(['LIST-8'], isNotStored, texts.notStored),
  filterAfterPaging: when(['LIST-8'], filtersLate, texts.filterAfterPaging),
  staleCopy: when(['LIST-8'], listsOfOthers, texts.staleCopy),
  oneTooMany: when(['LIST-2', 'LIST-3'], hasOneTooMany, texts.oneTooMany),
  exclusiveBound: when(['LIST-4'], isBound, texts.exclusiveBound),
  boundTooWide: when(['LIST-5'], isBeyondBound, texts.boundTooWide),
  limitOfAddress: when(['RATE-9'], ({ failure }) => failure.rule === 'limit-shared', texts.limitOfAddress),
} satisfies Readonly<Record<string, Bug>>;

/** A likely bug behind a failure. Decisions are made with its code. */
export interface LikelyBug {
  readonly code: keyof typeof bugs;
  readonly text: string;
}

const codes = Object.keys(bugs) as readonly LikelyBug['code'][];

/** Returns the likely bug, or null if none is recognized. */
export const likelyBug = (
  { id, failures }: RequirementResult,
  failure: Failure,
  run: Run,
): LikelyBug | null => {
  if (!isOfServer(failure)) return null;
  const context = { requirement: id, failure, failures: failures.filter(isOfServer), run };
  for (const code of codes) {
    const text = bugs[code](context);
    if (text !== null) return { code, text };
  }
  return null;
};
