// The iterations of a run as a strip; the newest is the last.

import {html, nothing, svg} from './lit-html.js';
import {repeat} from './directives/repeat.js';
import {counted, money, verdict} from './format.js';
import {toStep} from './routes.js';
import {apart} from './text.js';

const MOST_CELLS = 40;
const LEAST_CELLS = 8;
const CELL = 31;
/** Pixels that the buttons at both ends of a row take. */
const BESIDE_CELLS = 200;
const CELLS_AT_ONCE = 25;
const LEGEND = ['SUCCESS', 'approved', 'MILESTONE_SUCCESS', 'PROGRESS', 'STALLED', 'rejected', 'ANOMALY', 'FAILED', 'running', 'asked', 'missing', 'cancelled'];

const costOf = iteration => iteration.costUsd ?? 0;

/** As many as fit into one row. */
const mostCells = () => {
  const width = document.getElementById('main')?.clientWidth ?? window.innerWidth;
  return Math.min(MOST_CELLS, Math.max(LEAST_CELLS, Math.floor((width - BESIDE_CELLS) / CELL)));
};

/** Those cells that are shown, up to this one or the newest: a long run builds no more than a short one. Pure. */
export const windowOf = (cells, last, most = MOST_CELLS) => {
  const at = last === null ? -1 : cells.findIndex(each => each.sequence === last);
  const end = at < 0 ? cells.length : at + 1;
  return {from: Math.max(0, end - most), end};
};

const moveTo = (page, details, end) => {
  const all = details.iterations;
  details.lastCell = end >= all.length ? null : all[end - 1].sequence;
  page.changed();
};

const earlier = async (page, details) => {
  const most = mostCells();
  if (windowOf(details.iterations, details.lastCell, most).from < most && details.moreIterations) await details.loadEarlier();
  const {end} = windowOf(details.iterations, details.lastCell);
  moveTo(page, details, Math.max(Math.min(most, details.iterations.length), end - most));
};

const wasRetried = each => each.attempt > 1 || (each.steps ?? []).some(step => !/\.1$/.test(step.stepId));

/** What an iteration committed in the run's worktree. */
const committed = (each, inWorktree) => {
  const {git} = each;
  if (git) return `, ${counted(git.commits, 'commit')}: ${counted(git.files, 'file')}, +${git.insertions} -${git.deletions}`;
  return changedNothing(each, inWorktree) ? ', nothing changed' : '';
};

const changedNothing = ({git, endedAt}, inWorktree) => inWorktree && !git && Boolean(endedAt);

/** An open iteration has the verdict of its last step: what the iteration does or lacks comes first. */
const stateOf = ({endedAt, paused, steps, verdict: said}) => {
  const last = steps?.at(-1)?.status;
  if (paused === 'user_input_needed') return 'asked';
  if (endedAt) return said;
  if (last === 'running' || last === 'cancelled') return last;
  if (paused === 'missing_signals') return 'missing';
  return last === 'error' ? 'FAILED' : said;
};

/** Letter, class and word of an iteration. Pure. */
export const lookOf = iteration => verdict(stateOf(iteration));

/** Names the letters and signs of the cells that are shown. */
const legend = cells => {
  const drawn = new Set(cells.map(each => lookOf(each).word));
  return html`<p class="legend">${LEGEND.map(verdict).filter(each => drawn.has(each.word)).map(({letter, word, kind}) => html`<span><b
    class="key ${kind}">${letter}</b> ${word}</span> `)}${cells.some(costOf) ? html`<span>height: cost</span> ` : nothing}${
    cells.some(wasRetried) ? html`<span><b class="key again" aria-hidden="true">&nbsp;&nbsp;</b> tried again</span>` : nothing}</p>`;
};

/** Each iteration a cell: its letter, its sign, its height the cost. */
export const strip = (page, runId, details) => {
  const inWorktree = Boolean(page.store.runs.get(runId)?.git);
  const all = details.iterations;
  if (!all.length) return nothing;
  const {from, end} = windowOf(all, details.lastCell, mostCells());
  const cells = all.slice(end - page.grow('cells', end - from, CELLS_AT_ONCE), end);
  const most = Math.max(...all.map(costOf), 0.000001);
  const before = from > 0 || details.moreIterations;
  return html`<section class="strip" aria-label="Iterations">
    <h2>Iterations</h2>
    <ol class="cells">${before ? html`<li><button type="button" id="earlier" @click=${() => earlier(page, details)}>← ${details.moreIterations ? 'earlier' : from + ' earlier'}</button></li>` : nothing}${
      repeat(cells, each => each.sequence, (each, index) => {
      const parted = index > 0 && cells[index - 1].execution !== each.execution;
      const again = wasRetried(each);
      const {letter, kind, word} = lookOf(each);
      const text = `${parted ? `execution ${each.execution}, ` : ''}iteration ${each.iteration}${each.attempt > 1 ? `, attempt ${each.attempt}` : again ? ', a step was tried again' : ''}: ${word}`
        + `${each.concern ? ', ' + apart(each.concern) : ''}, ${money(each.costUsd, each.estimated)}${committed(each, inWorktree)}`;
      const step = each.steps?.at(-1)?.stepId;
      const height = Math.round(4 + 26 * costOf(each) / most);
      return html`<li class=${parted ? 'parted' : ''}><a class="cell ${kind} ${again ? 'again' : ''} ${changedNothing(each, inWorktree) ? 'same' : ''}" title=${text} aria-label=${text}
        href=${step ? toStep(runId, step) : '#/runs/' + encodeURIComponent(runId)}>
        <svg class="bar" viewBox="0 0 10 30" preserveAspectRatio="none" aria-hidden="true">${svg`
          <rect x="1" y=${30 - height} width="8" height=${height}></rect>`}</svg>
        <span aria-hidden="true">${letter}</span><span class="number" aria-hidden="true">${each.iteration}</span></a></li>`;
    })}${end < all.length ? html`<li><button type="button" id="newer" @click=${() => moveTo(page, details, end + mostCells())}>newer →</button></li>` : nothing}</ol>
    ${legend(cells)}
  </section>`;
};
