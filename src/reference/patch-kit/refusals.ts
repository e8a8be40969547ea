import { isJsonObject, type JsonObject } from '../../json/json.ts';
import type { Call, Rejection } from '../parts.ts';
import type { Patch } from '../patch.ts';
import type { Reply } from '../reply.ts';
import { handle, replace } from './core.ts';
import { validIn } from './creations.ts';

/** The same refusal with another status, in the response and in its Error. */
export const failAs = (status: number, problem: Rejection, call: Call, detail?: string): Reply =>
  call.parts.fail(
    problem,
    { ...call, parts: { ...call.parts, problems: restated(call, problem, status) } },
    detail,
  );

const restated = ({ parts: { problems } }: Call, problem: Rejection, status: number) => ({
  ...problems,
  [problem]: { ...problems[problem], status },
});

/** Every refusal of one kind with another status. */
export const refusalStatus = (problem: Rejection, status: number): Patch =>
  replace('problems', (before) => ({ ...before, [problem]: { ...before[problem], status } }));

/** Refuses a bad `limit`, or a bad `status`, with another status than 400. */
export const refuseParameter = (parameter: 'limit' | 'status', status: number): Patch =>
  replace('fail', (before) => (problem, call, detail) => {
    if (problem !== 'invalid-parameter' || !detail?.startsWith(parameter))
      return before(problem, call, detail);
    const problems = restated(call, problem, status);
    return before(problem, { ...call, parts: { ...call.parts, problems } }, detail);
  });

/** One more rule for a NewPet: returns a sentence if the body breaks it. */
export const alsoViolates = (rule: (body: JsonObject) => string | null): Patch =>
  replace('violations', (before) => (body) => {
    const broken = isJsonObject(body) ? rule(body) : null;
    return broken === null ? before(body) : [...before(body), broken];
  });

/** One more rule for names. */
export const nameRule = (sentence: string, breaks: (name: string) => boolean): Patch =>
  alsoViolates(({ name }) => (typeof name === 'string' && breaks(name) ? sentence : null));

/** Refuses a valid NewPet: `refusal` gives the response; null: it is accepted. */
export const refuseValid = (refusal: (body: JsonObject, call: Call) => Reply | null): Patch =>
  handle('createPet', async (call, before) => {
    const body = validIn(await call.body(), call);
    return (body === null ? null : refusal(body, call)) ?? before(call);
  });
