// Pictures of a run: its iterations as a strip, its steps as lanes over time.

import {html, nothing, svg} from './lit-html.js';
import {repeat} from './directives/repeat.js';
import {duration, money, verdict} from './format.js';
import {toStep} from './routes.js';
import {apart} from './text.js';

const LANES_WIDTH = 1000;
const LANE = 22;
const MOST_BARS = 400;
const BARS_AT_ONCE = 50;
const MOST_CELLS = 200;
const CELLS_AT_ONCE = 25;

const ASKED = {letter: '?', kind: 'slow', word: 'asked'};

const costOf = iteration => iteration.costUsd ?? 0;

/** Those cells that are shown, up to this one or the newest: a long run builds no more than a short one. Pure. */
export const windowOf = (cells, last) => {
  const at = last === null ? -1 : cells.findIndex(each => each.sequence === last);
  const end = at < 0 ? cells.length : at + 1;
  return {from: Math.max(0, end - MOST_CELLS), end};
};

const moveTo = (page, details, end) => {
  const all = details.iterations;
  details.lastCell = end >= all.length ? null : all[end - 1].sequence;
  page.changed();
};

const earlier = async (page, details) => {
  if (windowOf(details.iterations, details.lastCell).from < MOST_CELLS && details.moreIterations) await details.loadEarlier();
  const {end} = windowOf(details.iterations, details.lastCell);
  moveTo(page, details, Math.max(Math.min(MOST_CELLS, details.iterations.length), end - MOST_CELLS));
};

const wasRetried = each => each.attempt > 1 || (each.steps ?? []).some(step => !/\.1$/.test(step.stepId));

const counted = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** What an iteration committed in the run's worktree. */
const committed = git => git ? `, ${counted(git.commits, 'commit')}: ${counted(git.files, 'file')}, +${git.insertions} -${git.deletions}` : '';

/** Each iteration a cell: its letter, its sign, its height the cost. */
export const strip = (page, runId, details) => {
  const all = details.iterations;
  if (!all.length) return nothing;
  const {from, end} = windowOf(all, details.lastCell);
  const cells = all.slice(end - page.grow('cells', end - from, CELLS_AT_ONCE), end);
  const most = Math.max(...all.map(costOf), 0.000001);
  const before = from > 0 || details.moreIterations;
  return html`<section class="strip" aria-label="Iterations">
    <h2>Iterations</h2>
    <ol class="cells">${before ? html`<li><button type="button" id="earlier" @click=${() => earlier(page, details)}>… earlier</button></li>` : nothing}${
      repeat(cells, each => each.sequence, (each, index) => {
      const parted = index > 0 && cells[index - 1].execution !== each.execution;
      const again = wasRetried(each);
      const {letter, kind, word} = each.paused === 'user_input_needed' ? ASKED : verdict(each.verdict);
      const text = `${parted ? `execution ${each.execution}, ` : ''}iteration ${each.iteration}${each.attempt > 1 ? `, attempt ${each.attempt}` : again ? ', a step was tried again' : ''}: ${word}`
        + `${each.concern ? ', ' + apart(each.concern) : ''}, ${money(each.costUsd)}${committed(each.git)}`;
      const step = each.steps?.at(-1)?.stepId;
      const height = Math.round(4 + 26 * costOf(each) / most);
      return html`<li class=${parted ? 'parted' : ''}><a class="cell ${kind} ${again ? 'again' : ''}" title=${text} aria-label=${text}
        href=${step ? toStep(runId, step) : '#/runs/' + encodeURIComponent(runId)}>
        <svg class="bar" viewBox="0 0 10 30" preserveAspectRatio="none" aria-hidden="true">${svg`
          <rect x="1" y=${30 - height} width="8" height=${height}></rect>`}</svg>
        <span aria-hidden="true">${letter}</span><span class="number" aria-hidden="true">${each.iteration}</span></a></li>`;
    })}${end < all.length ? html`<li><button type="button" id="newer" @click=${() => moveTo(page, details, end + MOST_CELLS)}>newer …</button></li>` : nothing}</ol>
    <p class="legend">${['SUCCESS', 'MILESTONE_SUCCESS', 'PROGRESS', 'STALLED', 'ANOMALY', 'FAILED'].map(name => {
      const {letter, word, kind} = verdict(name);
      return html`<span><b class="key ${kind}">${letter}</b> ${word}</span> `;
    })}<span><b class="key ${ASKED.kind}">${ASKED.letter}</b> ${ASKED.word}</span> <span>height: cost</span><span><b class="key again" aria-hidden="true">&nbsp;&nbsp;</b> tried again</span></p>
  </section>`;
};

const kindOfStep = step => step.status === 'running' ? 'go' : step.status === 'completed' ? 'good'
  : step.status === 'cancelled' ? 'slow' : 'bad';

const ZOOMS = [['all', 'All'], ['hour', 'Last hour'], ['newest', 'Newest iteration']];

/** Those steps that a zoom shows. Pure. */
export const zoomed = (steps, zoom, now) => {
  const known = steps.filter(step => step.startedAt);
  if (zoom === 'hour') return known.filter(step => !step.endedAt || Date.parse(step.endedAt) > now - 3_600_000);
  const last = known.at(-1);
  return zoom === 'newest' && last ? known.filter(step => step.iteration === last.iteration && step.item === last.item) : known;
};

const workOf = step => [step.phase, step.iteration, step.item, step.agent].join(' ');

/** Between an attempt and the next one of the same work, and after the newest one of a run that waits. Pure. */
export const waitsOf = (steps, run, now) => {
  const waits = [];
  const ended = new Map();
  for (const step of steps) {
    const before = ended.get(workOf(step));
    if (before && step.attempt > before.attempt) waits.push({agent: step.agent, from: Date.parse(before.endedAt), to: Date.parse(step.startedAt)});
    if (step.endedAt) ended.set(workOf(step), step);
  }
  const last = steps.at(-1);
  if (run?.status === 'waiting' && last?.endedAt) waits.push({agent: last.agent, from: Date.parse(last.endedAt), to: now});
  return waits.filter(each => each.to > each.from);
};

/** Each agent a lane, each step a bar, from the first step that is known to now. */
export const lanes = (page, steps, run) => {
  const now = page.now;
  if (!steps.some(step => step.startedAt)) return nothing;
  const zoomedIn = zoomed(steps, page.zoom, now);
  const known = zoomedIn.slice(-page.grow('bars', Math.min(MOST_BARS, zoomedIn.length), BARS_AT_ONCE));
  const waits = waitsOf(known, run, now);
  const agents = [...new Set(known.map(step => step.agent))];
  const begin = Math.min(now, ...known.map(step => Date.parse(step.startedAt)));
  const end = Math.max(...known.map(step => step.endedAt ? Date.parse(step.endedAt) : now), begin + 1000);
  const x = time => (time - begin) / (end - begin) * LANES_WIDTH;
  return html`<section class="lanes" aria-label="Steps over time">
    <div class="lanes-head"><h2>Steps over time</h2><div role="group" aria-label="Which steps">${ZOOMS.map(([name, title]) => html`<button
      type="button" class="zoom" aria-pressed=${page.zoom === name ? 'true' : 'false'} @click=${() => {
        page.zoom = name;
        page.changed();
      }}>${title}</button>`)}</div></div>
    <div class="lane-table">
    ${agents.map((agent, index) => html`<span class="lane-name">${agent}</span>
      <svg viewBox="0 0 ${LANES_WIDTH} ${LANE}" preserveAspectRatio="none" class="lane" role="img"
        aria-label="${agent}: ${known.filter(step => step.agent === agent).length} steps">
        ${index ? nothing : svg`<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"><path d="M1,0V6"></path></pattern></defs>`}
        ${waits.filter(wait => wait.agent === agent).map(({from, to}) => svg`<rect class="pause" x=${x(from).toFixed(1)} y="7" height=${LANE - 14}
          width=${Math.max(2, x(to) - x(from)).toFixed(1)} fill="url(#hatch)"><title>waits to try again, ${duration(to - from)}</title></rect>`)}
        ${known.filter(step => step.agent === agent).map(step => {
          const from = x(Date.parse(step.startedAt));
          const to = x(step.endedAt ? Date.parse(step.endedAt) : now);
          return svg`<rect class="span ${kindOfStep(step)}" x=${from.toFixed(1)} y="3" height=${LANE - 6}
            width=${Math.max(2, to - from).toFixed(1)}><title>${step.stepId} ${step.status}</title></rect>${step.attempt > 1 ? svg`<rect
            class="retry" x=${from.toFixed(1)} y="3" height=${LANE - 6} width=${Math.max(2, to - from).toFixed(1)} fill="url(#hatch)"><title>${
            step.stepId} ${step.status}, attempt ${step.attempt}</title></rect>` : nothing}`;
        })}</svg>`)}
    </div>
    <p class="legend">hatched: tried again, or waiting to. ${duration(end - begin)} from ${new Date(begin).toLocaleTimeString()}</p>
  </section>`;
};
