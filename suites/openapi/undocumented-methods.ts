import { CaseSkipped } from '../../src/check/case-skipped.ts';
import type { ApiDocument } from '../../src/check/document.ts';
import { type Check, defineCheck } from '../../src/check/index.ts';
import type { KnownResources } from './existing.ts';
import { hasPathParameters, type OperationUnderTest, sendsBody } from './operations.ts';
import { toProbe } from './request.ts';
import { plain } from './valid.ts';

const methods: readonly string[] = ['GET', 'PUT', 'PATCH', 'POST', 'DELETE'];

/** They change what a path names. At the path of a collection they might create, which `--max-creates` would not count. */
const changing: readonly string[] = ['PUT', 'PATCH'];

/** No more paths than this, so that large documents need no more requests than others. */
const mostPaths = 12;

/** A path with a method that the document does not have for it. */
interface Attempt {
  /** Any operation of the path. */
  readonly exercised: OperationUnderTest;
  readonly method: string;
  /** An operation of the path whose body is sent; null: none has one. */
  readonly writing: OperationUnderTest | null;
}

const attemptsIn = (
  { operations }: ApiDocument,
  exercised: readonly OperationUnderTest[],
): readonly Attempt[] =>
  [...Map.groupBy(exercised, ({ operation }) => operation.path)]
    .slice(0, mostPaths)
    .flatMap(([path, all]) => {
      const [first] = all;
      const documented = operations.filter((each) => each.path === path).map(({ method }) => method);
      const writing = all.find(({ operation }) => sendsBody(operation)) ?? null;
      return first === undefined
        ? []
        : methods
            .filter((method) => !documented.includes(method))
            .filter((method) => !changing.includes(method) || hasPathParameters(first.operation))
            .map((method): Attempt => ({ exercised: first, method, writing }));
    })
    .toSorted((one, other) => harmOf(one) - harmOf(other));

/** Without a parameter, a deletion may be that of all data, of the session, or of the server itself. */
const deletesAnything = ({ exercised: { operation }, method }: Attempt): boolean =>
  method === 'DELETE' && !hasPathParameters(operation);

const harmOf = (attempt: Attempt): number =>
  methods.indexOf(attempt.method) + (deletesAnything(attempt) ? 1 : 0);

const hadNoResponse = (error: unknown): boolean =>
  error instanceof CaseSkipped && error.reason.code === 'no-response';

/**
 * Observes methods that work although the document does not have them. A server may refuse them in any way: a gateway returns 502, a server
 * in maintenance 503, and others close the connection. They may delete, so they come last, and only to a server of one's own.
 */
export const undocumentedMethods = (
  document: ApiDocument,
  exercised: readonly OperationUnderTest[],
  existing: KnownResources,
): Check =>
  defineCheck<Attempt>({
    id: 'gen-1-undocumented-methods',
    title: 'methods that the document does not have',
    requirement: 'GEN-1',
    phase: 'last',
    inputs: () =>
      attemptsIn(
        document,
        exercised.filter(({ authentic, mayGuess }) => authentic && mayGuess),
      ),
    run: async (attempt, context) => {
      const { exercised: usual, method, writing } = attempt;
      const { path } = usual.operation;
      const progress = context.state('undocumented methods', () => ({
        limited: new Set<string>(),
        isOver: false,
      }));
      if (progress.isOver || progress.limited.has(path)) return;
      const by = writing !== null && !['GET', 'DELETE'].includes(method) ? writing : usual;
      const attempted = { ...by, operation: { ...by.operation, id: `${method} ${path}`, method } };
      const found = hasPathParameters(usual.operation) ? await existing.find(attempted, context) : {};
      if (found === null) return;
      const sending = { ...plain(by), ...(by === writing ? {} : { body: null }) };
      const probe = toProbe(attempted, sending, { inputSpace: 'no-operation', found });
      const response = await context
        .send({ ...probe, observedOnly: true }, { expects429: true })
        .catch((error: unknown) => {
          if (hadNoResponse(error)) return null;
          throw error;
        });
      // Each further silence would take as long as the time-out.
      if (response === null) {
        progress.isOver = true;
        return;
      }
      if (response.status === 429) progress.limited.add(path);
      if (response.status === 500)
        context.observe('methods that fail, and that the document does not have', `${method} ${path}`);
      // A page for people is the same for every address.
      if (response.status >= 300 || response.mediaType === 'text/html') return;
      context.observe('methods that work, and that the document does not have', `${method} ${path}`);
      if (deletesAnything(attempt)) progress.isOver = true;
    },
  });
