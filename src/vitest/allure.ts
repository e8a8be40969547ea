import { groupOf } from '../openapi/requirement.ts';
import { jsonText } from '../report/json-text.ts';
import { titleOfGroup } from '../report/text/shown-verdicts.ts';
import type { Failure, Step } from '../run/outcome.ts';
import type { Decided } from './engine.ts';

/** What Allure's adapters put into the global scope: used only if one did, so that nothing is printed without it. */
interface AllureRuntime {
  labels(...labels: readonly { readonly name: string; readonly value: string }[]): PromiseLike<void>;
  links(...links: readonly { readonly name: string; readonly url: string }[]): PromiseLike<void>;
  parameter(name: string, value: string): PromiseLike<void>;
  description(text: string): PromiseLike<void>;
  attachment(
    name: string,
    content: string,
    options: { readonly contentType: string; readonly fileExtension: string },
  ): PromiseLike<void>;
}

const runtime = (): AllureRuntime | null => {
  const { allureTestRuntime } = globalThis as { allureTestRuntime?: () => AllureRuntime | undefined };
  return allureTestRuntime?.() ?? null;
};

const severities = { MUST: 'critical', SHOULD: 'minor', OPEN: 'trivial' } as const;

/** The label that the reporter turns into the reason of a skipped test. */
export const reasonLabel = 'skipReason';

/** Sections of RFCs have an address: `RFC 9110 11.1, 11.6.1` has two. */
const linksOf = (section: string) =>
  [...section.matchAll(/RFC (\d+)((?: [\d.]+,?)*)/g)].flatMap(([, rfc = '', parts = '']) =>
    (parts.match(/[\d.]*\d/g) ?? []).map((part) => ({
      name: `RFC ${rfc} ${part}`,
      url: `https://www.rfc-editor.org/rfc/rfc${rfc}#section-${part}`,
    })),
  );

const exchangeOf = ({ request, response }: Step) => jsonText({ request, response }, 2);

const attach = async (allure: AllureRuntime, failure: Failure): Promise<void> => {
  await allure.attachment('exchange', exchangeOf(failure), {
    contentType: 'application/json',
    fileExtension: '.json',
  });
  await allure.attachment('curl', failure.curl, { contentType: 'text/plain', fileExtension: '.sh' });
};

const mostAttached = 5;

/** Tells Allure about a result, if Allure listens. */
export const tellAllure = async (decided: Decided, skipReason: string | null): Promise<void> => {
  const allure = runtime();
  if (allure === null) return;
  const { result, server, seed } = decided;
  const { id, level, statement, section, failures } = result;
  const group = groupOf(id);
  await allure.labels(
    { name: 'epic', value: 'Animal store' },
    { name: 'feature', value: `${group} ${titleOfGroup(group)}` },
    { name: 'story', value: `${id} ${statement}` },
    { name: 'severity', value: severities[level] },
    ...(skipReason === null ? [] : [{ name: reasonLabel, value: skipReason }]),
  );
  await allure.description(`${level}. Section: ${section}`);
  const links = linksOf(section);
  if (links.length > 0) await allure.links(...links);
  await allure.parameter('seed', `${seed}`);
  await allure.parameter('target', server);
  for (const failure of failures.slice(0, mostAttached)) await attach(allure, failure);
};
