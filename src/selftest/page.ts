import { createHash } from 'node:crypto';
import { type Html, html, prose } from '../report/html/html.ts';
import { counted } from '../report/units.ts';
import type { Verdict } from '../run/outcome.ts';
import type { Evidence, RequirementFinding } from './examination.ts';
import type { JudgedDegenerate, JudgedDialect, JudgedFault } from './judge.ts';
import { percent, type SelfTestReport } from './report.ts';

const style = `
:root{color-scheme:light dark;--bg:#f5f6f3;--card:#fff;--text:#1c2421;--muted:#56625d;--line:#dbe1da;--good:#1d7a4c;--bad:#b3261e;--fair:#8a5a00;--link:#0b5d6b}
@media (prefers-color-scheme:dark){:root{--bg:#111615;--card:#19201e;--text:#e5ebe7;--muted:#a3b1ab;--line:#313c38;--good:#5cc98e;--bad:#ff8a80;--fair:#f0b850;--link:#7fd0dc}}
*{box-sizing:border-box}body{margin:0 auto;max-width:72rem;padding:1.5rem;background:var(--bg);color:var(--text);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:var(--link)}:focus-visible{outline:3px solid var(--link);outline-offset:2px}summary{cursor:pointer;padding:.6rem 0}.proofs th{width:34%}
h1{font-size:1.7rem;line-height:1.2}h2{font-size:1.25rem;margin:2.5rem 0 .5rem}p{color:var(--muted);max-width:46rem}
code{font:.86em ui-monospace,Menlo,Consolas,monospace}dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:1rem}
dt,small{color:var(--muted);font-size:.85rem}dd{margin:0;font-size:1.5rem;font-weight:650}dd small{display:block;font-weight:400}
.scroll{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:8px}
table{border-collapse:collapse;width:100%;font-size:.9rem}th,td{text-align:left;vertical-align:top;font-weight:400;padding:.4rem .6rem;border-top:1px solid var(--line)}
thead th{color:var(--muted);border-top:0}.good{color:var(--good);font-weight:600}.bad{color:var(--bad);font-weight:600}.fair{color:var(--fair)}
.matrix{font-size:.75rem;width:auto}.matrix th,.matrix td{padding:.15rem .3rem}.matrix td{text-align:center}.matrix thead th{writing-mode:vertical-rl;vertical-align:bottom}
.matrix tbody th{position:sticky;left:0;background:var(--card);white-space:nowrap;overflow-wrap:normal}
`;

const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`;

const tone = (good: boolean): string => (good ? 'good' : 'bad');

const figures = ({ killRate, precision, falseAlarms, degenerateRejected, budgets }: SelfTestReport): Html => {
  const shown: readonly (readonly [title: string, value: string, good: boolean, meaning: string])[] = [
    [
      'Kill rate',
      `${percent(killRate)} %`,
      percent(killRate) === 100,
      'faulty servers that were caught, by the requirement that they break',
    ],
    [
      'Precision',
      `${percent(precision)} %`,
      percent(precision) === 100,
      'of those, caught without blaming them for anything else',
    ],
    [
      'False alarms',
      `${falseAlarms.hits} of ${falseAlarms.of}`,
      falseAlarms.hits === 0,
      'servers that keep to the document, and were blamed',
    ],
    [
      'Degenerate rejected',
      `${degenerateRejected.hits} of ${degenerateRejected.of}`,
      percent(degenerateRejected) === 100,
      'servers that do next to nothing, and were not taken for conforming',
    ],
    ...budgets.map(
      (one) =>
        [
          `Killed by ${one.budget} requests`,
          `${percent(one)} %`,
          percent(one.heldOut) >= one.wanted,
          `of those held out: ${percent(one.heldOut)} %`,
        ] as const,
    ),
  ];
  return html`<dl>${shown.map(
    ([title, value, good, meaning]) =>
      html`<div><dt>${title}</dt><dd><span class="${tone(good)}">${value}</span><small>${meaning}</small></dd></div>`,
  )}</dl>`;
};

const evidence = ({ message, request, answer }: Evidence): Html =>
  html`<br>${message}<br><code>${request}</code> → <code>${answer}</code>`;

const findings = (title: string, all: readonly RequirementFinding[]): readonly Html[] =>
  all.map(
    (each) =>
      html`<br><small>${title} ${each.id} ${each.verdict} ${each.reason ?? ''}${each.evidence.map(evidence)}</small>`,
  );

/** `anchor`: where links to the fault lead; null: the row stands elsewhere as well. */
const faultRow = (
  fault: JudgedFault,
  anchor: string | null,
): Html => html`<tr${anchor !== null && html` id="${anchor}"`}><td class="${tone(fault.standing === 'killed')}">${fault.standing}</td>
<td>${fault.requirement}</td><th scope="row"><code>${fault.name}</code><br>${fault.description}${
  fault.broken !== null && html`<br><small>${fault.broken}</small>`
}${findings('also', fault.strays)}</th>
<td>${(fault.finding?.evidence ?? []).slice(0, 1).map(({ message }) => html`${message}`)}</td></tr>`;

const serverRow = (server: JudgedDialect | JudgedDegenerate): Html => html`<tr>
<td class="${tone(server.standing !== 'broken' && server.standing === ('kind' in server ? 'accepted' : 'rejected'))}">${server.standing}</td>
<th scope="row"><code>${server.name}</code>${'description' in server && html` ${server.description}`}${
  server.broken !== null && html`<br><small>${server.broken}</small>`
}${findings('', server.strays)}</th></tr>`;

const section = (title: string, lead: string, content: Html): Html =>
  html`<h2>${title}</h2><p>${prose(lead)}</p><div class="scroll">${content}</div>`;

/** A long section, folded: a link to a row in it unfolds it. */
const folded = (title: string, lead: string, rows: number, content: Html): Html =>
  html`<h2>${title}</h2><p>${prose(lead)}</p><details><summary>${counted(rows, 'server')}</summary><div class="scroll">${content}</div></details>`;

const faultTable = (faults: readonly JudgedFault[], row: (fault: JudgedFault) => Html): Html =>
  html`<table><thead><tr><th scope="col">Standing</th><th scope="col">Requirement</th><th scope="col">Fault</th><th scope="col">Found as</th></tr></thead><tbody>${faults.map(row)}</tbody></table>`;

/** What is not as it has to be, before all that is. */
const amiss = ({ faults, dialects, degenerate }: SelfTestReport): Html | null => {
  const wrongFaults = faults.filter(({ standing }) => standing !== 'killed');
  const wrongServers = [
    ...dialects.filter(({ standing }) => standing !== 'accepted'),
    ...degenerate.filter(({ standing }) => standing !== 'rejected'),
  ];
  if (wrongFaults.length + wrongServers.length === 0) return null;
  return section(
    'Not as it has to be',
    'Faults that were not caught, or not alone, and servers that were blamed or taken for what they are not.',
    html`${wrongFaults.length > 0 && faultTable(wrongFaults, (fault) => faultRow(fault, null))}${
      wrongServers.length > 0 && html`<table><tbody>${wrongServers.map(serverRow)}</tbody></table>`
    }`,
  );
};

const proofs = ({ requirements, faults }: SelfTestReport): Html => html`<table class="proofs">
<thead><tr><th scope="col">Requirement</th><th scope="col">Faults that make it fail</th></tr></thead><tbody>
${requirements.map(({ id, level, statement }) => {
  const own = faults.filter(({ requirement }) => requirement === id);
  return html`<tr id="${id}"><th scope="row"><b>${id}</b> <small>${level}</small><br>${prose(statement)}</th>
<td>${own.map(({ name }) => html`<a href="#${name}"><code>${name}</code></a> `)}</td></tr>`;
})}</tbody></table>`;

const cells: Partial<Readonly<Record<Verdict, readonly [sign: string, tone: string]>>> = {
  failed: ['✕', 'bad'],
  warned: ['!', 'fair'],
  error: ['E', 'bad'],
  inconclusive: ['?', 'fair'],
  skipped: ['–', 'fair'],
};

/** Most cells are empty: the page stays small where those hold nothing. */
const cell = (title: string, verdict: Verdict | undefined): Html => {
  const shown = verdict && cells[verdict];
  if (shown === undefined) return html`<td></td>`;
  const [sign, colour] = shown;
  return html`<td class="${colour}" title="${title} ${verdict ?? ''}">${sign}</td>`;
};

const matrix = ({ requirements, faults }: SelfTestReport): Html => html`<table class="matrix">
<thead><tr><th scope="col">Fault</th>${requirements.map(({ id }) => html`<th scope="col">${id}</th>`)}</tr></thead><tbody>
${faults.map(
  ({ name, verdicts }) =>
    html`<tr><th scope="row"><a href="#${name}">${name}</a></th>${requirements.map(({ id }) => cell(`${name}, ${id}:`, verdicts[id]))}</tr>`,
)}</tbody></table>`;

/** The self-test as one page that opens from disk: figures, each fault, the matrix of faults and requirements, the dialects. */
export const selfTestPage = (report: SelfTestReport): string => {
  const { passed, seed, tool, faults, dialects, degenerate } = report;
  const { markup } = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>Self-test of ${tool.name}</title>
<link rel="icon" href="data:,"><style>${{ markup: style }}</style></head><body>
<main><h1>Self-test: <span class="${tone(passed)}">${passed ? 'passed' : 'failed'}</span></h1>
<p>What the suite catches, and what it leaves alone: it judges servers of its own, of which it is known whether they keep to the interface document. Seed ${String(seed)}, ${tool.name} ${tool.version}.</p>
${figures(report)}
${amiss(report)}
${section('Requirements', 'The faults that prove that each requirement can fail.', proofs(report))}
${folded(
  'Faults',
  'Servers with one mistake each: its requirement has to fail, and nothing but its declared companions along with it.',
  faults.length,
  faultTable(faults, (fault) => faultRow(fault, fault.name)),
)}
${folded('Dialects', 'Servers that keep to the document in their own ways: nothing may fail or warn.', dialects.length, html`<table><tbody>${dialects.map(serverRow)}</tbody></table>`)}
${folded('Degenerate servers', 'Servers that do next to nothing: none may be taken for a conforming one.', degenerate.length, html`<table><tbody>${degenerate.map(serverRow)}</tbody></table>`)}
${folded('Matrix', 'Every fault with what every requirement made of it: ✕ failed, ! warned, ? inconclusive, – skipped, empty: passed or observed.', faults.length, matrix(report))}
</main></body></html>
`;
  return markup;
};
