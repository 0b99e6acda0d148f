// The items of a run as a table: what became of each attempt, what waits for what.

import {html, nothing} from './lit-html.js';
import {repeat} from './directives/repeat.js';
import {moment, verdict} from './format.js';
import {toStep} from './routes.js';
import {words} from './text.js';

const MOST_ROWS = 200;
const ROWS_AT_ONCE = 20;
const SIGNS = {approved: '✓', rejected: '✖', failed: '✖', blocked: '○', pending: '·', running: '▶'};
const KINDS = {approved: 'good', rejected: 'bad', failed: 'bad', running: 'go'};

const key = item => item.phase + '\u0000' + item.item;

/** Each item after those that it depends on, else in the order of the plan. Pure; what depends on itself stays in. */
export const inOrder = items => {
  const known = new Map(items.map(item => [key(item), item]));
  const placed = new Set();
  const ordered = [];
  for (const first of items) {
    const open = [first];
    while (open.length) {
      const item = open.at(-1);
      if (placed.has(item)) {
        open.pop();
        continue;
      }
      const before = (item.dependsOn ?? []).map(id => known.get(item.phase + '\u0000' + id))
        .find(other => other && !placed.has(other) && !open.includes(other));
      if (before) {
        open.push(before);
        continue;
      }
      placed.add(item);
      ordered.push(item);
      open.pop();
    }
  }
  return ordered;
};

/** What became of its attempts, oldest first, with the one under way. Pure. */
export const attemptsOf = item => {
  const attempts = (item.history ?? []).map(each => ({...each}));
  if (item.status === 'running') attempts.push({attempt: item.attempts, outcome: 'running', endedAt: null});
  return attempts;
};

/** The last step of one attempt that is known of. */
const stepOf = (steps, item, attempt) => steps.findLast(step =>
  step.phase === item.phase && step.item === item.item && step.attempt === attempt)?.stepId;

const attemptCell = (runId, steps, item, each) => {
  const kind = each.outcome === 'running' ? 'go' : verdict(each.outcome).kind;
  const text = `attempt ${each.attempt}: ${words(each.outcome)}${each.endedAt ? ', ' + moment(each.endedAt) : ''}`;
  const sign = html`<span aria-hidden="true">${SIGNS[each.outcome] ?? '·'}</span><span class="unseen">${text}</span>`;
  const step = stepOf(steps, item, each.attempt);
  return html`<li>${step ? html`<a class="attempt ${kind}" title=${text} href=${toStep(runId, step)}>${sign}</a>`
    : html`<span class="attempt ${kind}" title=${text}>${sign}</span>`}</li>`;
};

/** From the item to the one that is at fault: "share, then export: CSV export loses the header row". Pure. */
export const chainOf = (items, item) => {
  const known = new Map(items.map(each => [key(each), each]));
  const chain = [];
  for (let at = item; at && chain.length < items.length;) {
    const id = (at.dependsOn ?? []).find(each => {
      const status = known.get(at.phase + '\u0000' + each)?.status;
      return status !== 'approved' && !chain.some(before => before.item === each);
    });
    at = id && known.get(at.phase + '\u0000' + id);
    if (at) chain.push(at);
  }
  const last = chain.at(-1);
  return chain.map(each => each.item).join(', which waits for ') + (last?.concern ? ': ' + last.concern : '');
};

const relation = (marked, item) => {
  if (!marked || marked.phase !== item.phase) return '';
  if (marked.item === item.item) return 'marked';
  if ((marked.dependsOn ?? []).includes(item.item)) return 'before';
  return (item.dependsOn ?? []).includes(marked.item) ? 'after' : '';
};

export const itemsTab = (page, run, details) => {
  const items = details.items ?? [];
  if (!items.length) return html`<p class="empty">${details.items ? 'This run has no items.' : 'Loading …'}</p>`;
  const steps = [...details.steps.values()];
  const mark = item => () => {
    if (details.marked === item) return;
    details.marked = item;
    page.changed();
  };
  const ordered = inOrder(items);
  const most = page.more.has('items') ? Infinity : MOST_ROWS;
  return html`<table class="items cards" @mouseleave=${mark(null)}><caption>Items: ${
    Object.entries(details.itemCounts ?? {}).map(([name, many]) => many + ' ' + words(name)).join(', ')}</caption>
    <thead><tr><th scope="col">Item</th><th scope="col">Status</th><th scope="col">Attempts</th>
      <th scope="col">Depends on</th><th scope="col">Last said</th></tr></thead>
    <tbody>${repeat(ordered.slice(0, page.grow('items', Math.min(most, ordered.length), ROWS_AT_ONCE)), key, item => {
      const waits = item.status === 'pending' || item.status === 'blocked' ? chainOf(items, item) : '';
      return html`<tr class=${relation(details.marked, item)} @mouseenter=${mark(item)} @focusin=${mark(item)}>
      <th scope="row">${item.item} <span class="hint">${item.phase}</span></th>
      <td><span class="word ${KINDS[item.status] ?? 'wait'}"><span aria-hidden="true">${SIGNS[item.status] ?? ''}</span>
        ${words(item.status)}</span>${waits ? html` <span class="hint" dir="auto">waits for ${waits}</span>` : nothing}</td>
      <td><ol class="attempts" aria-label="Attempts of ${item.item}">${attemptsOf(item).map(each =>
        attemptCell(run.runId, steps, item, each))}</ol>
        <span class="hint">${item.attempts} of ${item.maxAttempts}</span></td>
      ${item.dependsOn?.length ? html`<td data-label="depends on">${item.dependsOn.join(', ')}</td>` : html`<td></td>`}
      <td>${item.lastStep ? html`<a href=${toStep(run.runId, item.lastStep)}>${item.lastStep}</a> ` : nothing}${
        item.concern ? html`<bdi>${item.concern}</bdi>` : nothing}</td></tr>`;
    })}</tbody></table>
    ${ordered.length > most ? html`<p><button @click=${() => {
      page.more.add('items');
      page.changed();
    }}>Show ${ordered.length - most} more</button></p>` : nothing}
    ${details.moreItems ? html`<p class="hint">Only the first ${items.length} items are shown.</p>` : nothing}`;
};
