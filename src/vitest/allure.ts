import { groupOf } from '../openapi/requirement.ts';
import { jsonText } from '../report/json-text.ts';
import { titleOfGroup } from '../report/text/shown-verdicts.ts';
import { summaryWords } from '../report/text/summary.ts';
import { type Failure, isOfServer, type Step } from '../run/outcome.ts';
import type { Decision } from './engine.ts';

/** The functions that Allure's adapters add to the global scope. Without an adapter, nothing is reported. */
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

/** The reporter shows this label as the reason of a skipped test. */
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
  if (!isOfServer(failure)) return;
  await allure.attachment('exchange', exchangeOf(failure), {
    contentType: 'application/json',
    fileExtension: '.json',
  });
  await allure.attachment('curl', failure.curl, { contentType: 'text/plain', fileExtension: '.sh' });
};

const mostAttached = 5;

/** Reports a result to Allure, if one of its adapters is active. */
export const reportToAllure = async (decision: Decision, skipReason: string | null): Promise<void> => {
  const allure = runtime();
  if (allure === null) return;
  const { result, server, seed } = decision;
  const { id, level, statement, section, failures } = result;
  const group = groupOf(id);
  await allure.labels(
    { name: 'epic', value: summaryWords.animalStore },
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
