import { failureWords, requirementWords } from '../text/page.ts';

/** The page's script: filters, search, copying, and arrow keys. Without it, everything can still be read. */
export const script = `
'use strict';
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
for (const element of all('.js-only, .copy')) element.hidden = false;

// Search ignores invisible text, such as the content of a closed failure.
const textOf = (row) => all('.badge, th, .failure > summary', row).map((part) => part.textContent).join(' ').toLowerCase();
const rows = all('.requirement').map((row) => ({ row, verdict: row.dataset.verdict, text: textOf(row) }));
const filters = all('[data-filter]');
const form = document.querySelector('.controls');
const search = form.querySelector('input');
const clear = form.querySelector('.clear');

/** Filters and search are in the address, so that a link shows the same. */
const saveInAddress = (wanted) => {
  const query = new URLSearchParams();
  if (wanted.length > 0) query.set('show', wanted.join(' '));
  if (search.value !== '') query.set('search', search.value);
  const text = query.size === 0 ? '' : '?' + query;
  history.replaceState(null, '', location.pathname + text + location.hash);
};
const filter = () => {
  const wanted = filters.filter((button) => button.ariaPressed === 'true').map((button) => button.dataset.filter);
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const { row, verdict, text } of rows) {
    row.hidden = !((wanted.length === 0 || wanted.includes(verdict)) && words.every((word) => text.includes(word)));
    if (!row.hidden) shown++;
  }
  for (const group of all('.group')) group.hidden = all('.requirement:not([hidden])', group).length === 0;
  const of = shown + ' of ' + rows.length + ' ${requirementWords.found.requirements}';
  form.querySelector('output').value = shown === rows.length ? '' : shown === 0 ? '${requirementWords.found.none}' : of;
  clear.hidden = shown === rows.length;
  saveInAddress(wanted);
};
const showAll = () => {
  for (const button of filters) button.ariaPressed = 'false';
  search.value = '';
  filter();
};
for (const button of filters) {
  button.addEventListener('click', () => {
    button.ariaPressed = String(button.ariaPressed !== 'true');
    filter();
  });
}
search.addEventListener('input', filter);
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('reset', (event) => { event.preventDefault(); showAll(); search.focus(); });
const query = new URLSearchParams(location.search);
for (const button of filters) button.ariaPressed = String((query.get('show') ?? '').split(' ').includes(button.dataset.filter));
search.value = query.get('search') ?? '';
filter();

// The Tab key stops once at the map; arrow keys move inside it.
const cells = all('.cell');
const focusable = (chosen) => { for (const cell of cells) cell.tabIndex = cell === chosen ? 0 : -1; };
focusable(cells[0]);
const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
for (const [index, cell] of cells.entries()) {
  cell.addEventListener('focus', () => focusable(cell));
  cell.addEventListener('keydown', (event) => {
    const next = cells[index + (steps[event.key] ?? 0)];
    if (next === undefined || next === cell) return;
    event.preventDefault();
    next.focus();
  });
}

const copyByHand = (text) => {
  const area = Object.assign(document.createElement('textarea'), { value: text });
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
};
for (const button of all('.copy')) {
  button.addEventListener('click', async () => {
    const text = button.parentElement.querySelector('pre').textContent;
    try { await navigator.clipboard.writeText(text); } catch { copyByHand(text); }
    const label = button.firstChild;
    label.data = '${failureWords.copy.done}';
    setTimeout(() => { label.data = '${failureWords.copy.label}'; }, 1500);
  });
}

// What a failure quotes is scrolled into sight in a long body.
document.addEventListener('toggle', ({ target }) => {
  for (const body of all('.long', target)) body.scrollTop = (body.querySelector('mark')?.offsetTop ?? 0) - 40;
}, true);

const reveal = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target?.matches('.requirement, .fold')) return;
  if (target.hidden) showAll();
  const folded = target.matches('.fold') ? target : target.querySelector('.failure');
  if (folded) folded.open = true;
  target.scrollIntoView();
};
addEventListener('hashchange', reveal);
reveal();
`;
