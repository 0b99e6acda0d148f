// What came of a run: its branch and changes, and how to get them.

import {html, nothing} from './lit-html.js';
import {copied} from './dialogs.js';
import {activeTime, command, counted, duration, itemCounts, money, verdict} from './format.js';
import {mergeDialog} from './merge.js';
import {toRun} from './routes.js';

const facts = (page, run) => {
  const iterations = run.verdicts?.at(-1)?.iteration ?? run.position?.iteration;
  const items = itemCounts(run);
  return [run.startedAt ? 'in ' + duration(activeTime(run, page.now)) : '', iterations ? counted(iterations, 'iteration') : '',
    items ? `${items.itemsApproved} of ${counted(items.itemsTotal, 'item')}${items.itemsRetried ? `, ${items.itemsRetried} retried` : ''}` : '',
    (run.usage?.costUsd ?? null) === null ? '' : money(run.usage.costUsd) + (run.usage.costKnown === false ? ' or more' : '')]
    .filter(Boolean).join(' · ');
};

const lastWords = run => run.last ? html`<p class="message" dir="auto"><span class="word ${verdict(run.last.verdict).kind}">${
  verdict(run.last.verdict).word}</span> ${run.last.concern ?? ''}</p>` : nothing;

const copyable = (page, text) => html`<code>${text}</code> <button type="button" class="plain" aria-label="Copy the command ${text}"
  @click=${() => copied(page, text)}>copy</button>`;

const changes = (page, run, {merged}) => {
  const {git} = run;
  if (!git) return nothing;
  if (!git.files && page.store.unsure.has(run.runId)) return html`<p class="got">Counting the changes on branch <span class="path">${git.branch}</span> …</p>`;
  if (!git.files) return html`<p class="got">Nothing was changed on branch <span class="path">${git.branch}</span>.</p>`;
  return html`<p class="got"><a class="button main" href=${toRun(run.runId, 'diff')}>View ${counted(git.files, 'changed file')}</a>
      <span class="good">+${git.insertions ?? 0}</span> <span class="bad">−${git.deletions ?? 0}</span>
      on branch <span class="path">${git.branch}</span></p>
    <p class="got">${merged ? html`Merged into <b>${merged}</b>.` : html`${page.canControl() ? html`<button type="button" id="merge" @click=${() => mergeDialog(page, run)}>Merge …</button> or ` : nothing}${
      copyable(page, command(page, 'merge ' + run.runId))}
      <span class="hint">into the branch that is checked out</span>`}</p>`;
};

export const outcome = (page, run, details) => html`<section class="card why completed" aria-label="What came of it">
  <h2>Completed ${facts(page, run)}</h2>
  ${lastWords(run)}
  ${run.termination?.summary && !run.last ? html`<p class="message" dir="auto">${run.termination.summary}</p>` : nothing}
  ${changes(page, run, details)}
</section>`;
