import { jsonOf, type ParsedResponse } from '../http/parsed-response.ts';
import type { Requirement } from '../openapi/requirement.ts';
import type { Probe } from '../oracle/probe.ts';
import { anyCase, type CheckContext as CaseContext, type Check } from './check.ts';
import type { ApiResponse, CheckContext, OwnCheck, OwnRequirement, Request } from './index.ts';

/** A response as a check of one's own sees it; the reading belongs to the run. */
interface OwnResponse extends ApiResponse {
  readonly reading: ParsedResponse;
}

const responseOf = (reading: ParsedResponse): OwnResponse => ({
  status: reading.status,
  header: (name) => reading.header(name.toLowerCase()),
  mediaType: reading.mediaType,
  json: jsonOf(reading),
  reading,
});

const readingOf = (response: ApiResponse): ParsedResponse => {
  if ('reading' in response) return (response as OwnResponse).reading;
  throw new Error('breach: response is not one that send returned');
};

/** The context of a case, for a check that may give evidence on `covers` only. */
const contextFor = (context: CaseContext, [own = '', ...others]: readonly string[]): CheckContext => {
  const covered = (requirement = own): string => {
    if (requirement === own || others.includes(requirement)) return requirement;
    throw new Error(`${requirement} is not a requirement of this check: name it in covers`);
  };
  return {
    run: context.run,
    freshName: () => context.freshName(),
    send: async (request: Request) => {
      const probe = request as unknown as Probe;
      for (const { requirement } of probe.expects) covered(requirement);
      return responseOf(await context.send(probe));
    },
    sleep: (ms) => context.clock.sleep(ms),
    passed: (requirement) => context.passed(covered(requirement)),
    breach: ({ response, rule = 'not-met', requirement, message, expected, actual }) =>
      context.breach({
        requirement: covered(requirement),
        problem: { rule: 'own-check', code: rule, message, expected, actual },
        exchange: readingOf(response).exchange,
      }),
    inconclusive: (reason) =>
      context.inconclusive(own, { code: 'precondition', detail: 'own', text: reason }),
    observe: (subject, value) => context.observe(own, subject, value),
  };
};

/** A requirement of one's own among those of the catalogue. */
export const toRequirement = ({ kind, ...requirement }: OwnRequirement): Requirement => ({
  ...requirement,
  subject: 'server',
});

/** In kebab case, as the ids of the suites. */
export const idOf = ({ requirement, title }: Pick<OwnCheck, 'requirement' | 'title'>): string =>
  `${requirement} ${title}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '');

/** A check of one's own among those of the suites. */
export const toCheck = ({ requirement, title, definition }: OwnCheck): Check<unknown> => {
  const { covers = [], phase = 'main', cost, inputs, arbitrary, share, shrink, retry, run } = definition;
  const gives = [...new Set([requirement, ...covers])];
  return anyCase<never>({
    id: idOf({ requirement, title }),
    title,
    requirement,
    ...(gives.length > 1 ? { covers: gives.slice(1) } : {}),
    phase,
    // A check without inputs has one case.
    inputs: inputs ?? (() => (arbitrary === undefined ? [undefined as never] : [])),
    ...(cost === undefined ? {} : { cost }),
    ...(arbitrary === undefined ? {} : { arbitrary }),
    ...(share === undefined ? {} : { share }),
    ...(shrink === undefined ? {} : { shrink: shrink }),
    ...(retry === undefined ? {} : { retry }),
    run: (input, context) => run(input, contextFor(context, gives)),
  });
};
