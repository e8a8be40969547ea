import { createHash } from 'node:crypto';
import { type Html, html, prose } from '../report/page/html.ts';
import type { Verdict } from '../run/outcome.ts';
import type { Evidence, RequirementFinding } from './examination.ts';
import type { JudgedDegenerate, JudgedDialect, JudgedFault } from './judge.ts';
import { percent, type SelfTestReport } from './report.ts';

const style = `
:root{color-scheme:light dark;--bg:#f5f6f3;--card:#fff;--text:#1c2421;--muted:#56625d;--line:#dbe1da;--good:#1d7a4c;--bad:#b3261e;--fair:#8a5a00}
@media (prefers-color-scheme:dark){:root{--bg:#111615;--card:#19201e;--text:#e5ebe7;--muted:#a3b1ab;--line:#313c38;--good:#5cc98e;--bad:#ff8a80;--fair:#f0b850}}
*{box-sizing:border-box}body{margin:0 auto;max-width:72rem;padding:1.5rem;background:var(--bg);color:var(--text);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.7rem;line-height:1.2}h2{font-size:1.25rem;margin:2.5rem 0 .5rem}p{color:var(--muted);max-width:46rem}
code{font:.86em ui-monospace,Menlo,Consolas,monospace}dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:1rem}
dt,small{color:var(--muted);font-size:.85rem}dd{margin:0;font-size:1.5rem;font-weight:650}
.scroll{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:8px}
table{border-collapse:collapse;width:100%;font-size:.9rem}th,td{text-align:left;vertical-align:top;font-weight:400;padding:.4rem .6rem;border-top:1px solid var(--line)}
thead th{color:var(--muted);border-top:0}.good{color:var(--good);font-weight:600}.bad{color:var(--bad);font-weight:600}.fair{color:var(--fair)}
.matrix{font-size:.75rem;width:auto}.matrix th,.matrix td{padding:.15rem .3rem}.matrix td{text-align:center}.matrix thead th{writing-mode:vertical-rl;vertical-align:bottom}
.matrix tbody th{position:sticky;left:0;background:var(--card);white-space:nowrap;overflow-wrap:normal}
`;

const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`;

const tone = (good: boolean): string => (good ? 'good' : 'bad');

const figures = ({ killRate, precision, falseAlarms, degenerateRejected, budgets }: SelfTestReport): Html => {
  const shown: readonly (readonly [string, string, boolean])[] = [
    ['Kill rate', `${percent(killRate)} %`, percent(killRate) === 100],
    ['Precision', `${percent(precision)} %`, percent(precision) === 100],
    ['False alarms', `${falseAlarms.hits} of ${falseAlarms.of}`, falseAlarms.hits === 0],
    [
      'Degenerate rejected',
      `${degenerateRejected.hits} of ${degenerateRejected.of}`,
      percent(degenerateRejected) === 100,
    ],
    ...budgets.map(
      (one) => [`Killed by ${one.budget} requests`, `${percent(one)} %`, percent(one) >= one.wanted] as const,
    ),
  ];
  return html`<dl>${shown.map(([title, value, good]) => html`<div><dt>${title}</dt><dd class="${tone(good)}">${value}</dd></div>`)}</dl>`;
};

const evidence = ({ message, request, answer }: Evidence): Html =>
  html`<br>${message}<br><code>${request}</code> → <code>${answer}</code>`;

const findings = (title: string, all: readonly RequirementFinding[]): readonly Html[] =>
  all.map(
    (each) =>
      html`<br><small>${title} ${each.id} ${each.verdict} ${each.reason ?? ''}${each.evidence.map(evidence)}</small>`,
  );

const faultRow = (
  fault: JudgedFault,
): Html => html`<tr id="${fault.name}"><td class="${tone(fault.standing === 'killed')}">${fault.standing}</td>
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

const proofs = ({ requirements, faults }: SelfTestReport): Html => html`<table>
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
<h1>Self-test: <span class="${tone(passed)}">${passed ? 'passed' : 'failed'}</span></h1>
<p>What the suite catches, and what it leaves alone. Seed ${String(seed)}, ${tool.name} ${tool.version}.</p>
${figures(report)}
${section('Requirements', 'The faults that prove that each requirement can fail.', proofs(report))}
${section(
  'Faults',
  'Servers with one mistake each: its requirement has to fail, and nothing but its declared companions along with it.',
  html`<table><thead><tr><th scope="col">Standing</th><th scope="col">Requirement</th><th scope="col">Fault</th><th scope="col">Found as</th></tr></thead><tbody>${faults.map(faultRow)}</tbody></table>`,
)}
${section('Dialects', 'Servers that keep to the document in their own ways: nothing may fail or warn.', html`<table><tbody>${dialects.map(serverRow)}</tbody></table>`)}
${section('Degenerate servers', 'Servers that do next to nothing: none may be taken for a conforming one.', html`<table><tbody>${degenerate.map(serverRow)}</tbody></table>`)}
${section('Matrix', '✕ failed, ! warned, ? inconclusive, – skipped, empty: passed or observed.', matrix(report))}
</body></html>
`;
  return markup;
};
