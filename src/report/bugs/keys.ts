import { jsonIn } from '../json-text.ts';
import type { JudgedFirst } from '../text/bugs.ts';
import { type Context, type FailureOf, headerIn, wrongStatusOf } from './context.ts';

/** Requirements that give 401. */
const keyRequirements: readonly string[] = ['AUTH-1', 'AUTH-2', 'AUTH-3', 'AUTH-4'];

const isForbidden = ({ requirement, failure }: FailureOf): boolean =>
  keyRequirements.includes(requirement) && wrongStatusOf(failure) === 403;

/** Which requests get 403 instead of 401: without a key, or with an invalid key. Returns null for other failures. */
export const forbiddenKeys = ({ run, ...failing }: Context) => {
  if (!isForbidden(failing)) return null;
  const isForbiddenBy = (id: string): boolean =>
    (run.requirements.find((each) => each.id === id)?.failures ?? []).some((failure) =>
      isForbidden({ requirement: id, failure }),
    );
  return { missing: isForbiddenBy('AUTH-1'), invalid: isForbiddenBy('AUTH-2') };
};

const isOrdinary = (headers: Readonly<Record<string, string>>): boolean =>
  /json|\*\/\*/.test(headerIn(headers, 'accept') ?? '*/*') &&
  /^application\/json$/i.test(headerIn(headers, 'content-type') ?? 'application/json') &&
  headerIn(headers, 'content-encoding') === null;

/** 406, and 415: content negotiation. */
const negotiations: readonly number[] = [406, 415];

/** What the server judges before the key, as the request of a failure shows. Returns null if it can be several things, and for other failures. */
export const judgedBeforeKey = ({ requirement, failure }: Context): JudgedFirst | null => {
  const { request, operation } = failure;
  const status = wrongStatusOf(failure);
  if (requirement !== 'AUTH-4' || status === null || status < 400 || status >= 500 || status === 403)
    return null;
  if (negotiations.includes(status)) return 'headers';
  const hasBody = operation === 'createPet';
  if (!isOrdinary(request.headers)) return hasBody && jsonIn(request.body) === undefined ? null : 'headers';
  if (hasBody) return 'body';
  return operation === 'getPet' && status === 404 ? 'animal' : 'parameters';
};
