import { headline } from '../headline.ts';
import { htmlDocument } from '../html/document.ts';
import { type Html, html, prose, unbroken } from '../html/html.ts';
import { badge, shape } from '../html/icons.ts';
import { exchange } from '../html/message.ts';
import { domainStyle, style } from '../html/style.ts';
import { domainWords as words } from '../text/domains/page.ts';
import type { Remedy } from '../text/domains/remedies.ts';
import { sectionWords } from '../text/page.ts';
import type { ShownVerdict } from '../text/shown-verdicts.ts';
import { summaryWords } from '../text/summary.ts';
import { duration, moment } from '../text/units.ts';
import type { EvidenceView } from './evidence.ts';
import { type DomainEntry, type DomainFailure, type DomainsOutcome, failuresOf } from './outcome.ts';
import { recordText } from './remedy-lines.ts';
import { wayOf } from './way.ts';

const LONGEST_BODY = 2_000;

/** The way from the name to the project, with the place that breaks. */
const picture = (entry: DomainEntry, outcome: DomainsOutcome): Html =>
  html`<ol class="way" aria-label="${words.way(entry.name)}">${wayOf(entry, outcome).map(
    ({ title, value, verdict, isBroken }) =>
      html`<li class="${verdict}${isBroken && ' broken'}"><span>${shape(verdict)} <b>${title}</b></span><span>${unbroken(value)}</span>${isBroken && html`<strong>${words.breaksHere}</strong>`}</li>`,
  )}</ol>`;

const remedyBlock = ({ text, records, steps, wait }: Remedy): Html =>
  html`<div class="remedy">${wait !== null && html`<p><strong>${words.waitUntil(wait)}</strong></p>`}<p>${unbroken(text)}</p>
${records.length > 0 && html`<pre>${records.map((record) => `${record.action.padEnd(7)} ${recordText(record)}`).join('\n')}</pre>`}
${steps.length > 0 && html`<ol>${steps.map((step) => html`<li>${step}</li>`)}</ol>`}</div>`;

const dnsText = ({
  server,
  address,
  transport,
  question,
  rcode,
  authoritative,
  answers,
  error,
}: EvidenceView['dns'][number]) =>
  [
    `${question} @${server} (${address}, ${transport}): ${rcode ?? error ?? ''}${authoritative ? words.authoritative : ''}`,
    ...answers.map(({ name, ttl, type, value }) => `  ${name} ${ttl} IN ${type} ${value}`),
  ].join('\n');

const evidenceOf = ({ evidence: { dns, certificate, exchange: page }, actual }: DomainFailure): Html =>
  html`<details><summary>${words.evidence}</summary>
${dns.length > 0 && html`<pre>${dns.map(dnsText).join('\n')}</pre>`}
${certificate !== null && html`<pre>${words.certificateLines(certificate).join('\n')}</pre>`}
${page !== null && html`<p class="label">${page.address}</p>${exchange({ ...page, why: actual, quoted: actual }, LONGEST_BODY)}`}</details>`;

const problemsOf = (name: string | null, outcome: DomainsOutcome): readonly Html[] =>
  failuresOf(name, outcome).map(
    (failure) =>
      html`<div class="problem"><h3>${badge('failed')} ${failure.id}</h3><p>${unbroken(failure.message)}</p>${remedyBlock(failure.remedy)}${evidenceOf(failure)}</div>`,
  );

const openOf = ({ open }: DomainEntry): readonly Html[] =>
  open.map(
    ({ id, reason, remedy }) =>
      html`<div class="problem"><h3>${badge('inconclusive')} ${id}</h3><p>${unbroken(reason)}</p>${remedy !== null && remedyBlock(remedy)}</div>`,
  );

const domainSection = (entry: DomainEntry, outcome: DomainsOutcome): Html =>
  html`<section class="domain" id="${entry.name}"><h2>${words.title(entry)}</h2>${picture(entry, outcome)}${problemsOf(entry.name, outcome)}${openOf(entry)}</section>`;

/** The project, and removed domains that are still served. */
const otherSections = (outcome: DomainsOutcome): readonly Html[] =>
  [null, ...outcome.target.removed].flatMap((name) => {
    const problems = problemsOf(name, outcome);
    return problems.length === 0
      ? []
      : [html`<section class="domain"><h2>${name ?? words.project}</h2>${problems}</section>`];
  });

const requirementRows = ({ requirements }: DomainsOutcome): Html =>
  html`<h2 id="requirements">${words.requirements}</h2><table class="plain"><tbody>${requirements.map(
    ({ id, level, statement, verdict, reason }) =>
      html`<tr><td>${badge(verdict)}</td><td><b>${id}</b> <span class="level">${level}</span> ${prose(statement)}${reason !== null && html`<p class="reason">${unbroken(reason)}</p>`}</td></tr>`,
  )}</tbody></table>`;

const observations = ({ observations: found }: DomainsOutcome): Html | null =>
  found.length === 0
    ? null
    : html`<h2>${words.observations}</h2><table class="plain seen"><tbody>${found.map(({ subject, value }) => html`<tr><td>${subject}</td><td>${value}</td></tr>`)}</tbody></table>`;

const signs: Readonly<Record<DomainsOutcome['verdict'], ShownVerdict>> = {
  conformant: 'passed',
  nonconformant: 'failed',
  'not-judged': 'inconclusive',
};

/** The report of domains as one page, with a picture for each domain. */
export const domainsPage = (outcome: DomainsOutcome): string => {
  const sign = signs[outcome.verdict];
  const title = headline(outcome);
  const { platformHost } = outcome.target;
  return htmlDocument({
    title: `${title} – ${platformHost}`,
    style: `${style}${domainStyle}`,
    skip: { to: '#requirements', text: words.skip },
    main: html`<header class="opening"><p class="product">${summaryWords.animalStore} ${words.product} <code>${platformHost}</code></p>
<div class="verdict ${sign}">${shape(sign)}<div><h1>${title}</h1><p>${outcome.ended ?? words.lead(outcome.domains)}</p></div></div>
<p class="quiet">${moment(outcome.startedAt)}, ${duration(outcome.durationMs)}</p></header>
${otherSections(outcome)}${outcome.domains.map((entry) => domainSection(entry, outcome))}
${requirementRows(outcome)}${observations(outcome)}`,
    footer: sectionWords.footer(outcome.tool),
    script: '',
  });
};
