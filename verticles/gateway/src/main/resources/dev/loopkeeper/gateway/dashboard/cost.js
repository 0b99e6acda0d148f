// What a run has cost over time, against its cap, and where it leads at this rate.

import {html, nothing, svg} from './lit-html.js';
import {count, duration, money, moment, tokens} from './format.js';

const WIDTH = 1000;
const HEIGHT = 240;
const NEWEST = 10;
const DEFAULT_WARN_AT = 0.8;

const time = text => Date.parse(text);

const unit = (word, {startedAt}, endedAt, costUsd) => ({at: time(endedAt), from: time(startedAt), costUsd, word});
const costly = units => units.filter(each => each.at && (each.costUsd ?? null) !== null).sort((one, other) => one.at - other.at);
const ofSteps = steps => costly(steps.map(each => unit('step', each, each.endedAt, each.result?.costUsd)));

/** What ended and reported its cost, oldest first: iterations, or steps where there are none. Pure. */
export const unitsOf = (iterations, steps) => {
  const ended = costly(iterations.map(each => unit('iteration', each, each.endedAt, each.costUsd)));
  return ended.length > 1 ? ended : ofSteps(steps);
};

/**
 * The sum after each step, and what a step under way has cost until now. Of steps of which the first are not loaded the curve
 * has the iterations, the open one up to its last step; it begins with what was spent before. Pure.
 */
export const curveOf = (run, {iterations, steps, stepsBefore}, now) => {
  const spent = run.usage?.costUsd ?? null;
  if (spent === null) return [];
  const units = stepsBefore && iterations.length > 1
    ? costly(iterations.map(each => unit('iteration', each, each.endedAt ?? each.steps?.findLast(step => step.endedAt)?.endedAt, each.costUsd)))
    : ofSteps([...steps.values()]);
  let sum = stepsBefore ? Math.max(0, spent - units.reduce((all, each) => all + each.costUsd, 0)) : 0;
  const curve = [{at: units[0]?.from ?? time(run.startedAt ?? run.createdAt), sum}];
  for (const each of units) curve.push({at: each.at, sum: sum += each.costUsd});
  if (spent - sum > 1e-9) curve.push({at: Math.max(curve.at(-1).at, run.endedAt ? time(run.endedAt) : now), sum: spent});
  return curve;
};

/**
 * When the cap is reached if each next unit costs as much as the newest; null where that cannot be said. Pure.
 *
 * @returns {{units: number, word: string, milliseconds: number, each: number, limited: boolean} | null}
 */
export const forecastOf = (run, units) => {
  const cap = run.limits?.costUsd;
  const newest = units.slice(-NEWEST);
  if (!cap || newest.length < 2 || run.usage?.costUsd === null) return null;
  const each = newest.reduce((sum, unit) => sum + unit.costUsd, 0) / newest.length;
  if (each <= 0) return null;
  const pace = (newest.at(-1).at - newest[0].at) / (newest.length - 1);
  const many = Math.max(0, Math.ceil((cap - run.usage.costUsd) / each - 1e-9));
  const word = newest[0].word;
  const left = word === 'iteration' && run.limits?.maxIterations
    ? run.limits.maxIterations - (run.position?.countedIterations ?? 0) : Infinity;
  return {units: many, word, milliseconds: many * pace, each, limited: left < many};
};

const forecastText = (run, forecast) => {
  if (!run.limits?.costUsd) return 'This run has no cap on its cost.';
  if (!forecast) return 'There is no forecast yet of when the cap is reached.';
  if (forecast.units === 0) return 'The cap is reached.';
  const many = forecast.units + ' ' + forecast.word + (forecast.units === 1 ? '' : 's');
  return `At this rate, ${money(forecast.each)} for each ${forecast.word}, the cap is reached in ${many}, about ${
    duration(forecast.milliseconds)} of work.${forecast.limited ? ' The iteration limit comes first.' : ''}`;
};

/** The sum at which the run warns; null without a cap. Pure. */
export const warnOf = (run, manifest) => run.limits?.costUsd
  ? run.limits.costUsd * (manifest?.budget?.warnAt ?? DEFAULT_WARN_AT) : null;

const chart = (run, curve, forecast, warn) => {
  const cap = run.limits?.costUsd ?? null;
  const begin = curve[0].at;
  const now = curve.at(-1);
  const ahead = forecast && !run.endedAt ? Math.min(forecast.milliseconds, (now.at - begin) * 2) : 0;
  const end = Math.max(now.at + ahead, begin + 1000);
  const top = Math.max(cap ?? 0, now.sum, 0.01) * 1.08;
  const x = at => ((at - begin) / (end - begin) * WIDTH).toFixed(1);
  const y = sum => (HEIGHT - sum / top * HEIGHT).toFixed(1);
  let line = `M${x(begin)},${y(curve[0].sum)}`;
  for (const point of curve.slice(1)) line += `H${x(point.at)}V${y(point.sum)}`;
  const rise = ahead ? now.sum + (cap - now.sum) * ahead / forecast.milliseconds : now.sum;
  const starts = (run.executions ?? []).slice(1).map(each => time(each.startedAt)).filter(at => at > begin && at < end);
  return html`<div class="chart"><div class="scale" aria-hidden="true"><span>${money(top)}</span><span>${money(top / 2)}</span>
    <span>$0</span></div><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img"
    aria-label="Cost over time: ${money(now.sum)}${cap ? ' of ' + money(cap) : ''}">
    ${starts.map(at => svg`<line class="execution" x1=${x(at)} x2=${x(at)} y1="0" y2=${HEIGHT}></line>`)}
    ${cap ? svg`<line class="warn" x1="0" x2=${WIDTH} y1=${y(warn)} y2=${y(warn)}></line>
      <line class="cap" x1="0" x2=${WIDTH} y1=${y(cap)} y2=${y(cap)}></line>` : nothing}
    ${svg`<path class="area" d="${line}V${HEIGHT}H0Z"></path><path class="curve" d=${line}></path>`}
    ${ahead ? svg`<line class="forecast" x1=${x(now.at)} y1=${y(now.sum)} x2=${x(now.at + ahead)} y2=${y(rise)}></line>` : nothing}
    </svg><p class="times hint" aria-hidden="true"><span>${moment(begin)}</span><span>${moment(end)}</span></p></div>`;
};

const byAgent = steps => {
  const sums = new Map();
  for (const step of steps) {
    const before = sums.get(step.agent) ?? {steps: 0, costUsd: null, tokens: null};
    const used = tokens(step.result?.usage);
    const costUsd = step.result?.costUsd ?? null;
    sums.set(step.agent, {steps: before.steps + 1,
      costUsd: costUsd === null ? before.costUsd : (before.costUsd ?? 0) + costUsd,
      tokens: used === null ? before.tokens : (before.tokens ?? 0) + used});
  }
  return [...sums].sort(([, one], [, other]) => (other.costUsd ?? 0) - (one.costUsd ?? 0));
};

const agents = details => {
  const rows = byAgent([...details.steps.values()].filter(step => step.endedAt));
  if (!rows.length) return nothing;
  const most = Math.max(...rows.map(([, sum]) => sum.costUsd ?? 0), 0.000001);
  return html`<table class="agents"><caption>By agent, of the newest ${details.steps.size} steps</caption><thead><tr>
    <th scope="col">Agent</th><th scope="col" class="number">Steps</th><th scope="col" class="number">Cost</th><th scope="col" class="number">Tokens</th></tr></thead>
    <tbody>${rows.map(([agent, sum]) => html`<tr><th scope="row">${agent}</th><td class="number">${sum.steps}</td>
      <td class="number"><meter min="0" max="1" value=${((sum.costUsd ?? 0) / most).toFixed(3)}
        aria-label="share of the highest"></meter> ${money(sum.costUsd)}</td><td class="number">${count(sum.tokens)}</td></tr>`)}</tbody></table>`;
};

export const costTab = (page, run, details) => {
  const units = unitsOf(details.iterations, [...details.steps.values()]);
  const curve = curveOf(run, details, page.now);
  const forecast = forecastOf(run, units);
  return html`<section id="cost" aria-label="Cost over time"><h2>Cost over time</h2>
    ${curve.length > 1 ? chart(run, curve, forecast, warnOf(run, details.manifest)) : html`<p class="empty">${run.usage?.costUsd === null
      ? 'No agent of this run has reported a cost.' : 'Nothing that cost something has ended yet.'}</p>`}
    <p id="forecast">${forecastText(run, forecast)}${run.limits?.costUsd && details.manifest
      ? ` It warns at ${money(warnOf(run, details.manifest))}.` : ''}</p>
    ${run.usage?.costKnown === false ? html`<p class="hint">Some steps have not reported their cost; the total may be higher.</p>` : nothing}
    ${agents(details)}</section>`;
};
