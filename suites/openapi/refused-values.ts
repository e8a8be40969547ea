import { type ApiResponse, isJsonObject, type Json } from '../../src/check/index.ts';
import { parseJson } from '../../src/check/json.ts';
import { invalidExamples } from './invalid.ts';
import type { OperationUnderTest } from './operations.ts';
import { valueAt } from './ordinary.ts';
import type { GeneratedRequest } from './request.ts';
import { isSuccess } from './responses.ts';
import { documents } from './scenario.ts';
import type { Sending } from './sender.ts';

/** Statuses that are about the state of the server, the caller, or the load, not about a value. */
const notAboutValues: readonly number[] = [
  401, 402, 403, 404, 407, 408, 409, 410, 412, 423, 424, 425, 428, 429, 451,
];

export const isRefused = ({ status }: ApiResponse): boolean =>
  status >= 400 && status < 500 && !notAboutValues.includes(status);

/** REQ-1: the response to a value that the document names. If it is refused, an ordinary value in its place decides. */
export const judgeValid = async (
  exercised: OperationUnderTest,
  sending: GeneratedRequest,
  { send, context }: Sending,
  first: ApiResponse,
): Promise<void> => {
  const { twin } = sending;
  if (isSuccess(first) && sending.idSource !== 'made up') context.passed('REQ-1');
  if (twin === undefined || !isRefused(first)) return;
  const ask = (request: GeneratedRequest) => send(exercised, request, context);
  const usual = await ask(twin);
  if (!isSuccess(usual) || !isComparable(sending, usual)) return;
  const again = await ask(sending);
  if (!isRefused(again) || !isSuccess(await ask(twin))) return;
  const isDocumented = documents(exercised.operation, again.status);
  if (isDocumented && !(await isByValidation(exercised, again, { send, context }))) return;
  const isCertain = sending.near === undefined || names(again.json, sending.steps?.at(-1));
  if (!isCertain && !isSuccess(await ask(sending.near))) return;
  // A server that knows more of a text than its pattern, such as a language, may accept the ordinary one by chance.
  for (const other of sending.alike ?? [])
    if (!isRefused(await ask(other)) || !isSuccess(await ask(twin))) return;
  if (await dependsOnState(sending, ask)) return;
  context.breach({
    response: again,
    requirement: 'REQ-1',
    problem: { rule: 'valid-refused', usual: usual.status, wrongStatus: again.status },
    origin: [usual.exchange],
  });
};

/** Without an ordinary value in its place, a text or a list may be refused because the server knows only some. */
const isComparable = ({ isFree, steps }: GeneratedRequest, { exchange: { wire } }: ApiResponse): boolean => {
  if (isFree !== true || steps === undefined || typeof wire.body !== 'string') return true;
  const sent = parseJson(wire.body);
  const usual = sent.ok ? valueAt(sent.value, steps) : null;
  return usual !== undefined && (!Array.isArray(usual) || usual.length > 0);
};

/** An operation with states accepts a listed value after some of the others. */
const dependsOnState = async (
  { others = [] }: GeneratedRequest,
  ask: (request: GeneratedRequest) => Promise<ApiResponse>,
): Promise<boolean> => {
  // A state may need two steps, in any order.
  for (const { before, request } of [...others, ...others])
    if (isSuccess(await ask(before)) && isSuccess(await ask(request))) return true;
  return false;
};

/** A rule of the business, such as a balance, is refused with another status or another code than what the document forbids. */
const isByValidation = async (
  exercised: OperationUnderTest,
  refusal: ApiResponse,
  { send, context }: Sending,
): Promise<boolean> => {
  const invalid = invalidExamples(exercised).filter(
    ({ violation, body }) => violation?.isLenient === false && (body === null || 'json' in body),
  );
  const byLevel = (['value', 'presence', 'form'] as const).flatMap((level) =>
    invalid.filter(({ violation }) => violation?.level === level).slice(0, 1),
  );
  let isComparable = false;
  for (const request of byLevel) {
    const response = await send(exercised, request, context);
    if (!isRefused(response)) continue;
    isComparable = true;
    if (isSameRefusal(response, refusal)) return true;
  }
  return !isComparable;
};

const isSameRefusal = (one: ApiResponse, other: ApiResponse): boolean => {
  if (one.status !== other.status) return false;
  const [codes, others] = [codesIn(one), codesIn(other)];
  return codeMembers.every((name) => {
    const [a, b] = [codes.get(name), others.get(name)];
    return a === undefined || b === undefined || a === b;
  });
};

/** A validator names the place: `amount`, `/amount`, or `body.amount`. */
const names = (json: Json | undefined, place: string | undefined): boolean => {
  if (json === undefined || json === null || place === undefined) return false;
  if (typeof json === 'string')
    return json === place || (/^\S+$/.test(json) && json.split(/[./]/).at(-1) === place);
  return typeof json === 'object' && Object.values(json).some((each) => names(each, place));
};

/** Members for programs. RFC 9457 has `type` and `title`, which are the same in each occurrence of a problem. */
const codeMembers: readonly string[] = ['code', 'type', 'title', 'error', 'errorCode', 'error_code'];

/** The codes of a refusal, in its object or in the one of its error. A sentence is no code. */
const codesIn = ({ json, mediaType }: ApiResponse): ReadonlyMap<string, Json> => {
  if (json === undefined || !isJsonObject(json)) return new Map();
  const inner = isJsonObject(json.error ?? null) ? json.error : undefined;
  const isCode = (name: string, value: Json | undefined) =>
    codeMembers.includes(name) &&
    (typeof value === 'bigint' ||
      (typeof value === 'string' &&
        (/^\S+$/.test(value) || (name === 'title' && mediaType === 'application/problem+json'))));
  return new Map(
    [json, ...(inner !== undefined && isJsonObject(inner) ? [inner] : [])].flatMap((each) =>
      Object.entries(each).filter(([name, value]) => isCode(name, value)),
    ),
  );
};
