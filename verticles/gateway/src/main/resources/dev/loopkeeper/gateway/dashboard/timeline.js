// The steps of a run over time: a lane for each agent, or for each item in a phase of items.

import {html, nothing, svg} from './lit-html.js';
import {duration, ratingOf, time, verdict} from './format.js';

const WIDTH = 1000;
const LANE = 22;
const MOST_BARS = 400;
const MOST_LANES = 30;
const BARS_AT_ONCE = 50;
const TICKS = 5;
const zoomsOf = steps => [['all', 'All'], ['hour', 'Last hour'],
  ['newest', steps.at(-1)?.item ? 'Newest item' : 'Newest iteration']];

/** The rating decides: a judge that rejects has completed its step, and that is no success. */
export const kindOfStep = step => {
  if (step.status === 'running') return 'go';
  if (step.status === 'cancelled') return 'slow';
  if (step.status !== 'completed') return 'bad';
  const rating = ratingOf(step);
  return rating ? verdict(rating).kind : 'good';
};

/** Those steps that a zoom shows. Pure. */
export const zoomed = (steps, zoom, now) => {
  const known = steps.filter(step => step.startedAt);
  if (zoom === 'hour') return known.filter(step => !step.endedAt || Date.parse(step.endedAt) > now - 3_600_000);
  const last = known.at(-1);
  return zoom === 'newest' && last ? known.filter(step => step.iteration === last.iteration && step.item === last.item) : known;
};

const laneOf = step => step.item ?? step.agent;
const workOf = step => [step.phase, step.iteration, step.item].join(' ');

/** Between a failed step and the next one of the same work, if that is its retry, and after the newest one of a run that waits. Pure. */
export const waitsOf = (steps, run, now) => {
  const waits = [];
  const newest = new Map();
  for (const step of steps) {
    const before = newest.get(workOf(step));
    if (before?.status === 'error' && before.agent === step.agent) {
      waits.push({lane: laneOf(step), from: Date.parse(before.endedAt), to: Date.parse(step.startedAt)});
    }
    newest.set(workOf(step), step);
  }
  const last = steps.at(-1);
  if (run?.status === 'waiting' && last?.endedAt) waits.push({lane: laneOf(last), from: Date.parse(last.endedAt), to: now});
  return waits.filter(each => each.to > each.from);
};

const bar = (step, x, now) => {
  const from = x(Date.parse(step.startedAt));
  const width = Math.max(2, x(step.endedAt ? Date.parse(step.endedAt) : now) - from).toFixed(1);
  const rating = ratingOf(step);
  const said = rating ? verdict(rating).word : step.status;
  const title = step.stepId + ': ' + said + (step.attempt > 1 ? ', attempt ' + step.attempt : '') + (step.concern ? ', ' + step.concern : '');
  return svg`<rect class="span ${kindOfStep(step)}" x=${from.toFixed(1)} y="3" height=${LANE - 6}
    width=${width}><title>${title}</title></rect>${step.attempt > 1 ? svg`<rect class="retry" x=${from.toFixed(1)} y="3"
    height=${LANE - 6} width=${width} fill="url(#hatch)"></rect>` : nothing}`;
};

const axis = (begin, end) => html`<span></span><ol class="axis" aria-label="Time">${Array.from({length: TICKS}, (_, index) => {
  const at = begin + (end - begin) * index / (TICKS - 1);
  return html`<li title=${new Date(at).toLocaleString()}>${index ? '+' + duration(at - begin) : time(begin)}</li>`;
})}</ol>`;

const hatch = svg`<defs>${['hatch', 'hatch-wait'].map(id => svg`<pattern id=${id} width="6" height="6" patternUnits="userSpaceOnUse"
  patternTransform="rotate(45)"><path d="M1,0V6"></path></pattern>`)}</defs>`;

/** From the first step that is shown to the last one, or to now. */
export const lanes = (page, details, run) => {
  const now = page.now;
  const steps = [...details.steps.values()];
  const zoomedIn = zoomed(steps, page.zoom, now);
  if (!steps.some(step => step.startedAt)) return nothing;
  const known = zoomedIn.slice(-page.grow('bars', Math.min(MOST_BARS, zoomedIn.length), BARS_AT_ONCE));
  const waits = waitsOf(known, run, now);
  const all = [...new Set(known.map(laneOf))];
  const shown = all.slice(-MOST_LANES);
  const begin = Math.min(now, ...known.map(step => Date.parse(step.startedAt)));
  const end = Math.max(...known.map(step => step.endedAt ? Date.parse(step.endedAt) : now), ...waits.map(wait => wait.to), begin + 1000);
  const x = at => (at - begin) / (end - begin) * WIDTH;
  const hatched = [known.some(step => step.attempt > 1) ? 'hatched bar: a retry' : '', waits.length ? 'hatched line: a wait before a retry' : ''];
  const isCut = details.stepsBefore && zoomedIn[0] === steps[0];
  const left = [zoomedIn.length > MOST_BARS ? `the newest ${MOST_BARS} of ${zoomedIn.length} steps`
    : isCut ? `the newest ${zoomedIn.length} steps` : '',
    all.length > MOST_LANES ? `the newest ${MOST_LANES} of ${all.length} items` : ''].filter(Boolean).join(', ');
  const words = [...hatched, left && 'shown are ' + left].filter(Boolean).join('; ');
  return html`<section class="lanes" aria-label="Steps over time">
    <div class="lanes-head"><h2>Steps over time</h2><div class="choice" role="group" aria-label="Which steps">${zoomsOf(steps).map(([name, title]) => html`<button
      type="button" aria-pressed=${page.zoom === name ? 'true' : 'false'} @click=${() => {
        page.zoom = name;
        page.changed();
      }}>${title}</button>`)}</div></div>
    <div class="lane-table">${shown.map((lane, index) => html`<span class="lane-name"><bdi>${lane}</bdi></span>
      <svg viewBox="0 0 ${WIDTH} ${LANE}" preserveAspectRatio="none" class="lane" role="img"
        aria-label="${lane}: ${known.filter(step => laneOf(step) === lane).length} steps">${index ? nothing : hatch}
        ${waits.filter(wait => wait.lane === lane).map(({from, to}) => svg`<rect class="pause" x=${x(from).toFixed(1)} y="7" height=${LANE - 14}
          width=${Math.max(2, x(to) - x(from)).toFixed(1)} fill="url(#hatch-wait)"><title>waits to try again, ${duration(to - from)}</title></rect>`)}
        ${known.filter(step => laneOf(step) === lane).map(step => bar(step, x, now))}</svg>`)}
      ${axis(begin, end)}</div>
    ${words ? html`<p class="legend">${words}</p>` : nothing}
  </section>`;
};
