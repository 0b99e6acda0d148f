// Pictures of a run: its iterations as a strip, its steps as lanes over time.

import {html, nothing, svg} from './lit-html.js';
import {repeat} from './directives/repeat.js';
import {duration, money, verdict} from './format.js';
import {toStep} from './routes.js';

const LANES_WIDTH = 1000;
const LANE = 22;
const MOST_BARS = 400;

const ASKED = {letter: '?', kind: 'slow', word: 'asked'};

const costOf = iteration => iteration.costUsd ?? 0;

/** Each iteration a cell: its letter, its sign, its height the cost. */
export const strip = (runId, cells, earlier) => {
  if (!cells.length) return nothing;
  const most = Math.max(...cells.map(costOf), 0.000001);
  return html`<section class="strip" aria-label="Iterations">
    <h2>Iterations</h2>
    <ol class="cells">${earlier ? html`<li><button type="button" id="earlier" @click=${earlier}>… earlier</button></li>` : nothing}${
      repeat(cells, each => each.sequence, (each, index) => {
      const parted = index > 0 && cells[index - 1].execution !== each.execution;
      const {letter, kind, word} = each.paused === 'user_input_needed' ? ASKED : verdict(each.verdict);
      const text = `${parted ? `execution ${each.execution}, ` : ''}iteration ${each.iteration}${each.attempt > 1 ? `, attempt ${each.attempt}` : ''}: ${word}`
        + `${each.concern ? ', ' + each.concern : ''}, ${money(each.costUsd)}`;
      const step = each.steps?.at(-1)?.stepId;
      const height = Math.round(4 + 26 * costOf(each) / most);
      return html`<li class=${parted ? 'parted' : ''}><a class="cell ${kind}" title=${text} aria-label=${text}
        href=${step ? toStep(runId, step) : '#/runs/' + encodeURIComponent(runId)}>
        <svg class="bar" viewBox="0 0 10 30" preserveAspectRatio="none" aria-hidden="true">${svg`
          <rect x="1" y=${30 - height} width="8" height=${height}></rect>`}</svg>
        <span aria-hidden="true">${letter}</span><span class="number" aria-hidden="true">${each.iteration}</span></a></li>`;
    })}</ol>
    <p class="legend">${['SUCCESS', 'MILESTONE_SUCCESS', 'PROGRESS', 'STALLED', 'ANOMALY', 'FAILED'].map(name => {
      const {letter, word, kind} = verdict(name);
      return html`<span><b class="key ${kind}">${letter}</b> ${word}</span> `;
    })}<span>height: cost</span></p>
  </section>`;
};

const kindOfStep = step => step.status === 'running' ? 'go' : step.status === 'completed' ? 'good'
  : step.status === 'cancelled' ? 'slow' : 'bad';

/** Each agent a lane, each step a bar, from the first step that is known to now. */
const ZOOMS = [['all', 'All'], ['hour', 'Last hour'], ['newest', 'Newest iteration']];

/** Those steps that a zoom shows. Pure. */
export const zoomed = (steps, zoom, now) => {
  const known = steps.filter(step => step.startedAt);
  if (zoom === 'hour') return known.filter(step => !step.endedAt || Date.parse(step.endedAt) > now - 3_600_000);
  const last = known.at(-1);
  return zoom === 'newest' && last ? known.filter(step => step.iteration === last.iteration && step.item === last.item) : known;
};

export const lanes = (page, steps) => {
  const now = page.now;
  if (!steps.some(step => step.startedAt)) return nothing;
  const known = zoomed(steps, page.zoom, now).slice(-MOST_BARS);
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
    ${agents.map(agent => html`<span class="lane-name">${agent}</span>
      <svg viewBox="0 0 ${LANES_WIDTH} ${LANE}" preserveAspectRatio="none" class="lane" role="img"
        aria-label="${agent}: ${known.filter(step => step.agent === agent).length} steps">
        ${known.filter(step => step.agent === agent).map(step => {
          const from = x(Date.parse(step.startedAt));
          const to = x(step.endedAt ? Date.parse(step.endedAt) : now);
          return svg`<rect class="span ${kindOfStep(step)}" x=${from.toFixed(1)} y="3" height=${LANE - 6}
            width=${Math.max(2, to - from).toFixed(1)}><title>${step.stepId} ${step.status}</title></rect>`;
        })}</svg>`)}
    </div>
    <p class="legend">${duration(end - begin)} from ${new Date(begin).toLocaleTimeString()}</p>
  </section>`;
};
