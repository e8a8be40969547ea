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

/** A failure that the document has may come for any method of the path. */
const documentsFailure = ({ operation: { responses } }: OperationUnderTest): boolean =>
  responses.some(({ status }) => status === 'default' || status.startsWith('5'));

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
      return first === undefined || all.some(documentsFailure)
        ? []
        : methods
            .filter((method) => !documented.includes(method))
            .filter((method) => !changing.includes(method) || hasPathParameters(first.operation))
            .map((method): Attempt => ({ exercised: first, method, writing }));
    });

/** Observes methods that work although the document does not have them. They may delete, so they come last, and only to a server of one's own. */
export const undocumentedMethods = (
  document: ApiDocument,
  exercised: readonly OperationUnderTest[],
  existing: KnownResources,
): Check =>
  defineCheck<Attempt>({
    id: 'gen-1-undocumented-methods',
    title: 'methods that the document does not have',
    requirement: 'GEN-1',
    covers: ['GEN-4'],
    phase: 'risky',
    inputs: () =>
      attemptsIn(
        document,
        exercised.filter(({ authentic, mayGuess }) => authentic && mayGuess),
      ),
    run: async ({ exercised: usual, method, writing }, context) => {
      const { path } = usual.operation;
      const limited = context.state('limited paths', () => new Set<string>());
      if (limited.has(path)) return;
      const found = hasPathParameters(usual.operation) ? await existing.find(usual, context) : {};
      if (found === null) return;
      const by = writing !== null && !['GET', 'DELETE'].includes(method) ? writing : usual;
      const sending = { ...plain(by), ...(by === writing ? {} : { body: null }) };
      const { request, ...probe } = toProbe(by, sending, { inputSpace: 'undocumented', found });
      const attempt = { ...request, operation: `${method} ${path}`, method };
      const response = await context.send(
        { ...probe, request: attempt, inputSpace: 'no-operation' },
        { expects429: true },
      );
      if (response.status === 429) limited.add(path);
      // A page for people is the same for every address.
      if (response.status < 300 && response.mediaType !== 'text/html')
        context.observe('methods that work, and that the document does not have', `${method} ${path}`);
    },
  });
