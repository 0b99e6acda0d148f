// The steps of a run, and the log of the one that is chosen.

import {html, nothing} from './lit-html.js';
import {repeat} from './directives/repeat.js';
import {duration, moment, money, ratingOf, verdict} from './format.js';
import {sentence} from './events.js';
import {toStep} from './routes.js';
import {kindOfStep} from './timeline.js';

const MOST_ROWS = 100;
const ROWS_AT_ONCE = 20;
const MODES = [['readable', 'Readable'], ['raw', 'Raw'], ['stderr', 'Errors'], ['prompt', 'Prompt'], ['context', 'What it knew']];
const FAILED = new Set(['rejected', 'failed']);
const STATUSES = {running: 'running', completed: 'done', cancelled: 'cancelled', error: 'failed'};

/** The last step of the first failed item where items block a run, else null. Pure. */
export const stepOfFailedItem = (run, items) => run.termination?.reasonCode === 'dependency-blocked'
  ? (items ?? []).find(item => FAILED.has(item.status))?.lastStep ?? null : null;

/** The one that the address names, else the newest that runs, else that of the failed item, else the newest. */
export const chosenStep = (route, details, run) => {
  if (route.stepId) return route.stepId;
  const all = [...details.steps.values()];
  return all.findLast(step => step.status === 'running')?.stepId ?? stepOfFailedItem(run, details.items) ?? all.at(-1)?.stepId ?? null;
};

/** What the step has said of the work, else how it ended. */
const outcomeOf = step => {
  const rated = step.status === 'completed' && ratingOf(step);
  const words = step.concern ?? step.result?.errorContext?.message;
  return html`<span class="word ${kindOfStep(step)}">${rated ? html`<span aria-hidden="true">${verdict(rated).sign}</span> ${
    verdict(rated).word}` : STATUSES[step.status] ?? step.status}</span>${words ? html` <span class="words" dir="auto">${words}</span>` : nothing}`;
};

/** The time of its processes, as the terminal has it; of a step without a result, the time so far. */
const lengthOf = (step, now) => {
  if (step.result?.durationMs !== undefined) return duration(step.result.durationMs);
  return step.startedAt ? duration((step.endedAt ? Date.parse(step.endedAt) : now) - Date.parse(step.startedAt)) : '';
};

const row = (page, run, step, chosen) => html`<tr class=${step.stepId === chosen ? 'chosen' : ''}>
  <th scope="row"><a class="row" href=${toStep(run.runId, step.stepId)} aria-current=${step.stepId === chosen ? 'true' : 'false'}>${
    step.stepId.split('.').map((part, index) => html`${index ? html`.<wbr>` : nothing}${part}`)}</a></th><td class="outcome">${outcomeOf(step)}</td><td class="number">${lengthOf(step, page.now)}</td>
  <td class="number">${money(step.result?.costUsd ?? step.result?.usage?.costUsd, step.result?.estimated)}</td></tr>`;

/** Rows that are known come first; behind them those that are still on the server. */
const more = (page, details, steps, most) => {
  if (steps.length > most) {
    return html`<p><button type="button" id="more-steps" @click=${() => {
      page.rows.set('steps', most + MOST_ROWS);
      page.changed();
    }}>Show ${Math.min(MOST_ROWS, steps.length - most)} more</button></p>`;
  }
  return details.stepsBefore ? html`<p><button type="button" id="earlier-steps" @click=${() => {
    page.rows.set('steps', most + MOST_ROWS);
    details.loadEarlierSteps();
  }}>Earlier steps</button></p>` : nothing;
};

const facts = (step, events, now) => {
  if (!step) return nothing;
  const again = events.find(event => event.type === 'step.retrying' && event.data.stepId === step.stepId);
  const result = step.result ?? {};
  const parts = [step.agent + (step.attempt > 1 ? ', attempt ' + step.attempt : '')];
  if (step.escalatedFrom) parts.push('takes over from ' + step.escalatedFrom);
  if (step.startedAt) parts.push(lengthOf(step, now) + ' from ' + moment(step.startedAt));
  if (result.exitCode !== null && result.exitCode !== undefined) parts.push('exit ' + result.exitCode);
  if (result.sandbox) parts.push('sandbox ' + result.sandbox);
  if (result.session?.continuedFrom) parts.push('continued from ' + result.session.continuedFrom);
  if (result.costUsd !== null && result.costUsd !== undefined) parts.push(money(result.costUsd, result.estimated));
  return html`<p class="step-facts">${outcomeOf(step)}</p><p class="step-facts hint">${parts.join(' · ')}</p>
    ${again ? html`<p class="step-facts">${sentence(again)}</p>` : nothing}
    ${result.signal ? html`<details class="more"><summary>Signal</summary><pre tabindex="0">${
      JSON.stringify(result.signal, null, 2)}</pre></details>` : nothing}`;
};

export const logTab = (page, run, details) => {
  const chosen = chosenStep(page.route, details, run);
  const steps = [...details.steps.values()].reverse();
  const most = page.rows.get('steps') ?? MOST_ROWS;
  const shown = steps.slice(0, page.grow('steps', Math.min(most, steps.length), ROWS_AT_ONCE));
  return html`<div class="split"><section aria-label="Steps" class="steps"><table><caption>Steps (${steps.length}${
      details.stepsBefore ? ' newest' : ''})</caption>
      <thead><tr><th scope="col">Step</th><th scope="col">Verdict</th><th scope="col" class="number">Time</th>
      <th scope="col" class="number">Cost</th></tr></thead>
      <tbody>${repeat(shown, step => step.stepId, step => row(page, run, step, chosen))}</tbody></table>
      ${more(page, details, steps, most)}
    </section>
    <section aria-label="Log" class="log-pane">${chosen ? html`<h2>${chosen}</h2>
      ${facts(details.steps.get(chosen), details.events, page.now)}
      <div class="log-bar"><div class="choice" role="group" aria-label="View of the log">${MODES.map(([mode, title]) => html`<button type="button"
        aria-pressed=${page.logMode === mode ? 'true' : 'false'} @click=${() => page.setLogMode(mode)}>${title}</button>`)}</div>
        <label class="unseen" for="find">Find in the log</label><input id="find" type="search" placeholder="find in the log"
          @input=${event => {
            page.log?.find(event.target.value);
            page.changed();
          }}>
        <span class="hint" id="found" role="status">${page.log?.found()}</span>
        <button type="button" id="follow" aria-pressed=${page.log?.following ? 'true' : 'false'}
          @click=${() => page.log?.follow(!page.log.following)}>Follow</button></div>
      ${page.log?.before ? html`<p class="hint" id="cut">The log is longer: its last lines are shown. <a href=${toStep(run.runId, chosen, 0)}>From
        its beginning</a></p>` : nothing}
      <div id="log" class="log" role="log" aria-live="off" aria-label="Log of ${chosen}" tabindex="0"></div>
      ${page.log?.dropped ? html`<p class="hint">${page.log.dropped} earlier lines are not shown; the step's file has them.</p>` : nothing}`
      : html`<p class="empty">${details.loaded ? 'No step has begun.' : 'Loading …'}</p>`}</section></div>`;
};
