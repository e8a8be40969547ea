import { isJsonObject, type JsonObject } from '../../json/json.ts';
import type { Call, Problem } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { handle, replace } from '../patches.ts';
import type { Reply } from '../reply.ts';

/** The same refusal with another status, in the response and in its Error. */
export const failAs = (status: number, problem: Problem, call: Call, detail?: string): Reply =>
  call.parts.fail(
    problem,
    { ...call, parts: { ...call.parts, problems: restated(call, problem, status) } },
    detail,
  );

const restated = ({ parts: { problems } }: Call, problem: Problem, status: number) => ({
  ...problems,
  [problem]: { ...problems[problem], status },
});

/** Refuses a bad `limit`, or a bad `status`, with another status than 400. */
export const refuseParameter = (parameter: 'limit' | 'status', status: number): Patch =>
  replace('fail', (before) => (problem, call, detail) => {
    if (problem !== 'invalid-parameter' || !detail?.startsWith(parameter))
      return before(problem, call, detail);
    const problems = restated(call, problem, status);
    return before(problem, { ...call, parts: { ...call.parts, problems } }, detail);
  });

/** One more rule for a NewPet: gives a sentence where the body breaks it. */
export const alsoViolates = (rule: (body: JsonObject) => string | null): Patch =>
  replace('violations', (before) => (body) => {
    const broken = isJsonObject(body) ? rule(body) : null;
    return broken === null ? before(body) : [...before(body), broken];
  });

/** One more rule for names. */
export const nameRule = (sentence: string, breaks: (name: string) => boolean): Patch =>
  alsoViolates(({ name }) => (typeof name === 'string' && breaks(name) ? sentence : null));

/** Refuses a NewPet that is valid otherwise: `refusal` gives the answer, or null where there is nothing against it. */
export const refuseValid = (refusal: (body: JsonObject, call: Call) => Reply | null): Patch =>
  handle('createPet', async (call, before) => {
    const { parts } = call;
    const body = await call.body();
    const parsed = body.ok ? parts.parseBody(body.bytes, call) : body;
    if (!('value' in parsed) || !isJsonObject(parsed.value)) return before(call);
    if (parts.violations(parsed.value).length > 0) return before(call);
    return refusal(parsed.value, call) ?? before(call);
  });
