/** What the page does beyond being read: filter, search, and copy. Without it everything can still be read. */
export const script = `
'use strict';
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
for (const element of all('.js-only, .copy')) element.hidden = false;

const rows = all('.requirement').map((row) => ({ row, standing: row.dataset.standing, text: row.textContent.toLowerCase() }));
const filters = all('[data-filter]');
const search = document.querySelector('.controls input');
const output = document.querySelector('.controls output');
const filter = () => {
  const wanted = filters.filter((button) => button.ariaPressed === 'true').map((button) => button.dataset.filter);
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const { row, standing, text } of rows) {
    const fits = (wanted.length === 0 || wanted.includes(standing)) && words.every((word) => text.includes(word));
    row.hidden = !fits;
    if (fits) shown++;
  }
  for (const group of all('.group')) group.hidden = all('.requirement:not([hidden])', group).length === 0;
  output.value = shown === rows.length ? '' : shown + ' of ' + rows.length + ' shown';
};
for (const button of filters) {
  button.addEventListener('click', () => {
    button.ariaPressed = String(button.ariaPressed !== 'true');
    filter();
  });
}
search?.addEventListener('input', filter);
document.querySelector('.controls')?.addEventListener('submit', (event) => event.preventDefault());

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
    label.data = 'Copied';
    setTimeout(() => { label.data = 'Copy'; }, 1500);
  });
}

const reveal = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target?.matches('.requirement')) return;
  if (target.hidden) { for (const button of filters) button.ariaPressed = 'false'; search.value = ''; filter(); }
  const failure = target.querySelector('.failure');
  if (failure) failure.open = true;
  target.scrollIntoView();
};
addEventListener('hashchange', reveal);
reveal();
`;
