// Keys. None of them does anything that cannot be undone.

import {dialogOpen, helpDialog} from './dialogs.js';
import {FIRST_FIELD} from './form.js';
import {toRuns} from './routes.js';

export const isField = element => element?.matches?.('input, textarea, select, [contenteditable]');

const step = by => {
  const rows = [...document.querySelectorAll('a.row')].filter(row => row.offsetParent !== null);
  if (!rows.length) return;
  const at = rows.indexOf(document.activeElement);
  const next = at < 0 ? by > 0 ? 0 : rows.length - 1 : Math.min(rows.length - 1, Math.max(0, at + by));
  rows[next].focus();
  rows[next].scrollIntoView({block: 'nearest'});
};

const cell = by => {
  const cells = [...document.querySelectorAll('a.cell')];
  if (!cells.length) return;
  const at = cells.indexOf(document.activeElement);
  cells[at < 0 ? cells.length - 1 : Math.min(cells.length - 1, Math.max(0, at + by))].focus();
};

const focus = selector => {
  const found = document.querySelector(selector);
  found?.focus();
  return Boolean(found);
};

export const listen = page => {
  let before = '';
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || dialogOpen()) return;
    if (event.key === 'Escape' && isField(document.activeElement)) {
      document.activeElement.blur();
      return;
    }
    if (isField(document.activeElement)) return;
    const second = before === 'g';
    before = second ? '' : event.key;
    const done = second ? GO[event.key]?.(page) : KEYS[event.key]?.(page);
    if (done) event.preventDefault();
  });
};

const does = work => page => {
  work(page);
  return true;
};

const GO = {
  r: does(() => { location.hash = toRuns(); }),
  n: does(() => { location.hash = '#/new'; }),
  p: does(() => { location.hash = '#/processes'; }),
  o: does(() => { location.hash = '#/policy'; }),
};

const KEYS = {
  '/': () => focus('#search'),
  j: does(() => step(1)),
  k: does(() => step(-1)),
  a: () => focus(FIRST_FIELD),
  '.': () => focus('#actions .main') || focus('#send') || focus('#actions button'),
  '[': does(() => cell(-1)),
  ']': does(() => cell(1)),
  f: does(page => page.log?.follow(!page.log.following)),
  '?': does(page => helpDialog(page)),
};
