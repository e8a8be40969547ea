import { htmlDocument } from '../html/document.ts';
import { type Html, html, prose, unbroken } from '../html/html.ts';
import { badge, shape } from '../html/icons.ts';
import { matrixStyle, style } from '../html/style.ts';
import { matrixWords as words } from '../text/matrix.ts';
import { type ShownVerdict, shownVerdicts } from '../text/shown-verdicts.ts';
import type { Implementation, Matrix, MatrixRow } from './matrix.ts';

const signs: Readonly<Record<Implementation['verdict'], ShownVerdict>> = {
  conformant: 'passed',
  nonconformant: 'failed',
  'not-judged': 'inconclusive',
};

const verdictCell = (verdict: Implementation['verdict']): Html =>
  html`<span class="badge ${signs[verdict]}">${shape(signs[verdict])}<span>${words.verdict[verdict]}</span></span>`;

const day = (moment: string): string => moment.slice(0, 10);

const implementationRow = (each: Implementation): Html =>
  html`<tr><th scope="row">${each.name}</th><td>${verdictCell(each.verdict)}</td><td>${words.passed(each.passed, each.selected)}</td><td>${unbroken(each.failed.join(', '))}</td><td>${words.tested(day(each.startedAt), each.tool)}</td></tr>`;

const implementations = ({ implementations: all }: Matrix): Html => {
  const { heads } = words;
  return html`<h2 id="implementations">${words.implementations}</h2><div class="scroll" tabindex="0" role="region" aria-labelledby="implementations"><table class="plain"><thead><tr>${[heads.name, heads.verdict, heads.passed, heads.failed, heads.tested].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${all.map(implementationRow)}</tbody></table></div>`;
};

const changes = (matrix: Matrix): Html | null => {
  if (matrix.changes === null) return null;
  return html`<h2>${words.changes}</h2>${
    matrix.changes.length === 0
      ? html`<p>${words.noChanges}</p>`
      : html`<ul>${matrix.changes.map(({ implementation, id, before, now }) => html`<li>${unbroken(words.change(implementation, id, before, now))}</li>`)}</ul>`
  }`;
};

const cell = (verdict: ShownVerdict | undefined, isChanged: boolean): Html =>
  verdict === undefined
    ? html`<td><span class="sr">${words.absent}</span></td>`
    : html`<td class="${isChanged && 'changed'}" title="${shownVerdicts[verdict].word}">${shape(verdict)}<span class="sr">${shownVerdicts[verdict].word}</span></td>`;

const row = ({ id, level, statement, verdicts }: MatrixRow, matrix: Matrix): Html =>
  html`<tr><th scope="row"><details><summary><b>${unbroken(id)}</b> <span class="level">${level}</span></summary>${prose(statement)}</details></th>${matrix.implementations.map(
    ({ name }) =>
      cell(
        verdicts[name],
        matrix.changes?.some((change) => change.id === id && change.implementation === name) ?? false,
      ),
  )}</tr>`;

const table = (matrix: Matrix): Html =>
  html`<h2 id="matrix">${words.matrix}</h2><p class="lead">${words.lead}</p>
<ul class="counts">${[...new Set(matrix.requirements.flatMap(({ verdicts }) => Object.values(verdicts)))].map((verdict) => html`<li>${badge(verdict)}</li>`)}</ul>
<div class="scroll" tabindex="0" role="region" aria-labelledby="matrix"><table class="matrix"><thead><tr><th scope="col">${words.requirement}</th>${matrix.implementations.map(({ name }) => html`<th scope="col"><span>${name}</span></th>`)}</tr></thead><tbody>${matrix.requirements.map((each) => row(each, matrix))}</tbody></table></div>`;

/** A matrix as one page that opens offline. */
export const matrixPage = (
  matrix: Matrix,
  tool: { readonly name: string; readonly version: string },
): string => {
  const all = matrix.implementations;
  const conformant = all.filter(({ verdict }) => verdict === 'conformant').length;
  const title = words.title(conformant, all.length);
  const sign: ShownVerdict = conformant === all.length ? 'passed' : 'failed';
  return htmlDocument({
    title,
    style: `${style}${matrixStyle}`,
    skip: { to: '#matrix', text: words.skip },
    main: html`<header class="opening"><p class="product">${words.product}</p><div class="verdict ${sign}">${shape(sign)}<div><h1>${title}</h1></div></div></header>
${implementations(matrix)}${changes(matrix)}${table(matrix)}`,
    footer: words.footer(tool),
    script: '',
  });
};
