// What holds across runs: pools, caps and schedules, and the schedules whose newest fire failed.

import {html, nothing} from './lit-html.js';
import {get, post} from './api.js';
import {confirm} from './dialogs.js';
import {age, command, count, counted, moment, money, until} from './format.js';
import {toRun, toSchedule} from './routes.js';
import {words} from './text.js';

const LEAST_BETWEEN_LOOKS = 1000;
/** No event reports a fire that begins no run, so a server with schedules is asked now and then. */
const BETWEEN_FIRES = 60_000;
const WARN_AT = 0.8;
const MOST_FIRES = 10;
const CHANGES = new Set(['snapshot', 'run.created', 'run.started', 'run.waiting', 'run.ended', 'step.started', 'step.finished']);

export const freshPolicy = () => ({pools: null, caps: [], schedules: [], chosen: null, problem: null, notice: null, busy: false,
  stale: true, asked: -BETWEEN_FIRES, looking: false});

/** The schedule whose fires are shown: the one that the link names, else the first that failed, else the first. */
const chosenName = ({route, policy: {schedules}}) => route.schedule
  ?? (schedules.find(each => each.attention) ?? schedules[0])?.name;

const load = async page => {
  const state = page.policy;
  state.looking = true;
  state.stale = false;
  state.asked = performance.now();
  try {
    const [{pools}, {caps}, {schedules}] = await Promise.all([get('/pools'), get('/caps'), get('/schedules')]);
    Object.assign(state, {pools, caps, schedules, problem: null});
    const name = page.route.view === 'policy' ? chosenName(page) : null;
    state.chosen = name ? await get('/schedules/' + encodeURIComponent(name)) : null;
  } catch (refused) {
    Object.assign(state, {chosen: null, problem: refused.message});
  }
  state.looking = false;
  page.updates.count();
  page.changed();
};

/** Runs take places and use up caps: what is shown is no longer true. */
export const policyChanged = (page, type) => {
  page.policy.stale ||= CHANGES.has(type);
};

/** What a link opens is read at once. */
export const openPolicy = page => Object.assign(page.policy, {stale: true, asked: -BETWEEN_FIRES});

/** Reads the policy again where it may have changed; often only where it is shown. */
export const lookAtPolicy = page => {
  const {policy: state, route, connection} = page;
  if (state.looking || connection.state !== 'live') return;
  const since = performance.now() - state.asked;
  const due = route.view === 'policy' ? state.stale && since > LEAST_BETWEEN_LOOKS : state.pools === null;
  if (due || (state.schedules.length && since > BETWEEN_FIRES)) load(page);
};

/** The schedules that need a person, as far as the search finds them. */
export const failedSchedules = (page, query = '') => page.policy.schedules.filter(each => each.attention
  && (each.name + ' ' + each.attention).toLowerCase().includes(query.trim().toLowerCase()));

const during = async (page, work) => {
  const state = page.policy;
  if (state.busy) return;
  Object.assign(state, {busy: true, problem: null, notice: null});
  page.changed();
  let problem = null;
  try {
    await work();
  } catch (refused) {
    problem = refused.message;
  }
  state.busy = false;
  await load(page);
  state.problem ??= problem;
  page.changed();
};

const clear = async (page, pool) => {
  if (!await confirm(page, {title: `End the cool-down of ${pool.name}?`, text: html`The next agent of the pool is launched at once, and so is
    the run that met the limit. At a terminal: <code>${command(page, 'pools clear ' + pool.name)}</code>`, yes: 'End the cool-down'})) return;
  await during(page, () => post('/pools/' + encodeURIComponent(pool.name) + '/clear'));
};

const fire = async (page, schedule) => {
  if (!await confirm(page, {title: `Fire ${schedule.name} now?`, text: html`Begins a run of <code>${schedule.manifest}</code>. At a terminal:
    <code>${command(page, 'schedules run ' + schedule.name)}</code>`, yes: 'Fire now'})) return;
  await during(page, async () => {
    const {outcome, runId, message} = await post('/schedules/' + encodeURIComponent(schedule.name) + '/fire');
    page.policy.notice = html`${schedule.name}: ${words(outcome)}${runId ? html` <a href=${toRun(runId)}>${runId}</a>` : nothing}${
      message ? ', ' + message : nothing}`;
  });
};

const does = (page, id, label, text, work) => page.canControl() ? html`<button class=${id} aria-label=${label}
  aria-disabled=${page.policy.busy ? 'true' : 'false'} @click=${work}>${text}</button>` : nothing;

const poolRow = (page, pool) => html`<tr><th scope="row">${pool.name}</th>
  <td data-label="places">${pool.used} of ${pool.places ?? 'any number'}</td><td data-label="wait">${counted(pool.waiting, 'run')}</td>
  <td class="message">${pool.coolUntil ? html`<b class="act">until <time datetime=${pool.coolUntil}>${moment(pool.coolUntil)}</time>${
    until(pool.coolUntil, page.now)}</b> ${pool.reason} ${pool.runId ? html`<a href=${toRun(pool.runId)}>${pool.runId}</a>` : nothing}` : nothing}</td>
  <td>${pool.coolUntil ? does(page, 'clear', 'End the cool-down of ' + pool.name, 'End cool-down …', () => clear(page, pool)) : nothing}</td></tr>`;

/** "$7.90 of $40.00 left" with its meter; nothing without a limit. */
const left = ({limit, spent}, text) => limit === null ? nothing : html`<span class="left"><span class="money">${
  text(Math.max(0, limit - spent))} of ${text(limit)} left</span> <meter min="0" max="1" low=${WARN_AT} high="0.999" optimum="0"
  value=${Math.min(1, spent / limit).toFixed(3)} aria-label="${Math.round(100 * spent / limit)} % of the cap"></meter></span> `;

const capRow = (page, cap) => html`<tr><th scope="row">${cap.name}</th><td>each ${cap.per}</td>
  <td>${left(cap.costUsd, amount => money(amount, cap.costUsd.estimated > 0))}${left(cap.tokens, amount => count(amount) + ' tokens')}${
    cap.unknownSteps ? html`<span class="hint">${counted(cap.unknownSteps, 'step')} of unknown cost</span>` : nothing}</td>
  <td data-label="until"><time datetime=${cap.windowEnd}>${moment(cap.windowEnd)}</time>${until(cap.windowEnd, page.now)}</td>
  <td data-label="wait">${counted(cap.waitingRuns, 'run')}</td></tr>`;

const OUTCOMES = {started: 'good', failed: 'bad', missed: 'slow', skipped: 'slow'};
const outcome = name => html`<span class="word ${OUTCOMES[name] ?? 'wait'}">${words(name)}</span>`;

const scheduleRow = (page, each) => html`<tr class=${each.name === page.policy.chosen?.name ? 'chosen' : ''}>
  <th scope="row"><a class="row" href=${toSchedule(each.name)} aria-current=${each.name === page.policy.chosen?.name ? 'true' : 'false'}>${each.name}</a></th>
  <td>${each.cron ? html`<code>${each.cron}</code> ${each.zone}` : nothing} ${each.hook ? 'hook' : nothing}</td>
  <td data-label="next">${each.nextAt ? html`<time datetime=${each.nextAt}>${moment(each.nextAt)}</time>${until(each.nextAt, page.now)}`
    : each.enabled ? 'at a hook or by hand' : 'not enabled'}</td>
  <td data-label="last">${each.fires[0] ? html`${outcome(each.fires[0].outcome)} <time class="age" datetime=${each.fires[0].at}>${
    age(each.fires[0].at, page.now)}</time>` : 'never fired'}</td>
  <td>${does(page, 'fire', 'Fire ' + each.name + ' now', 'Fire now …', () => fire(page, each))}</td></tr>`;

const fireRow = each => html`<tr><td><time datetime=${each.at}>${moment(each.at)}</time></td><td data-label="by">${words(each.by)}</td>
  <td>${outcome(each.outcome)}</td><td class="message">${each.runId ? html`<a href=${toRun(each.runId)}>${each.runId}</a> ` : nothing}${
    each.message}</td></tr>`;

const fires = ({name, attention, fires: all}) => html`<section aria-label="Fires of ${name}" class="card" id="fires"><h2>Fires of ${name}</h2>
  ${attention ? html`<p class="problem" id="attention">${attention}</p>` : nothing}
  ${all.length ? html`<table class="cards"><caption class="unseen">The last ${Math.min(all.length, MOST_FIRES)}</caption>
    <thead><tr>${['Due', 'By', 'Outcome', 'Run or reason'].map(head => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${all.slice(0, MOST_FIRES).map(fireRow)}</tbody></table>` : html`<p>This schedule has never fired.</p>`}</section>`;

const table = (id, title, heads, rows) => rows.length ? html`<table id=${id} class="cards"><caption>${title} (${rows.length})</caption>
  <thead><tr>${heads.map(head => html`<th scope="col">${head}</th>`)}<th scope="col"><span class="unseen">Action</span></th></tr></thead>
  <tbody>${rows}</tbody></table>` : nothing;

export const policyView = page => {
  const {pools, caps, schedules, chosen, problem, notice} = page.policy;
  lookAtPolicy(page);
  const none = pools && !pools.length && !caps.length && !schedules.length;
  return html`<h1>Policy</h1>
    ${problem ? html`<p class="problem" role="alert">${problem}</p>` : nothing}
    <div role="status" id="done">${notice ? html`<p class="notice">${notice}</p>` : nothing}</div>
    ${pools ? html`${none ? html`<p class="empty">This server has no pools, caps or schedules.</p>` : nothing}
      ${table('pools', 'Pools', ['Pool', 'Places', 'Waiting', 'Cool-down'], pools.map(each => poolRow(page, each)))}
      ${table('caps', 'Caps', ['Cap', 'Per', 'Left', 'Until'], caps.map(each => capRow(page, each)))}
      ${table('schedules', 'Schedules', ['Schedule', 'When', 'Next', 'Last'], schedules.map(each => scheduleRow(page, each)))}
      ${chosen ? fires(chosen) : nothing}
      <p class="hint">The policy is edited as a file: <code>${command(page, 'policy')}</code> prints it, <code>${
        command(page, 'apply FILE')}</code> applies it.</p>` : problem ? nothing : html`<p class="empty">Loading …</p>`}`;
};
