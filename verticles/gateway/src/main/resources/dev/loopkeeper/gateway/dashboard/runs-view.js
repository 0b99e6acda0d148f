// All runs: what waits for a person first.

import {html, nothing} from './lit-html.js';
import {repeat} from './directives/repeat.js';
import {markSeen} from './attention.js';
import {activeTime, age, command, duration, money, status, verdict, where, why} from './format.js';
import {hasEnded, waitsSince} from './fold.js';
import {continueNow} from './act.js';
import {listed} from './lists.js';
import {runExample} from './new-run.js';
import {failedSchedules} from './policy-view.js';
import {toRun, toRuns, toSchedule} from './routes.js';
import {capital} from './text.js';

const MOST_ROWS = 40;
const MORE_ROWS = 200;
const ROWS_AT_ONCE = 12;
const WARN_AT = 0.8;
const STATUSES = ['running', 'waiting', 'queued', 'paused', 'stopping', 'completed', 'stopped', 'failed'];
const COLUMNS = 5;

const meter = (spent, cap) => {
  const part = spent / cap;
  return html`<meter min="0" max="1" low=${WARN_AT} high="0.999" optimum="0" value=${Math.min(1, part).toFixed(3)}
    aria-label="${Math.round(part * 100)} % of the cap"></meter>`;
};

const least = runs => runs.some(run => run.usage?.costKnown === false)
  && runs.some(run => (run.usage?.costUsd ?? null) !== null) ? html`<span title="some steps have not reported their cost">+<span
    class="unseen"> or more</span></span>` : nothing;

export const cost = run => html`<span class="money">${money(run.usage?.costUsd, run.usage?.estimated)}${least([run])}${run.limits?.costUsd
  ? html` of ${money(run.limits.costUsd)} ${(run.usage?.costUsd ?? null) === null ? nothing : meter(run.usage.costUsd, run.limits.costUsd)}` : nothing}</span>`;

const strip = run => run.verdicts?.length ? html`<span class="tiny" role="img"
  aria-label="latest iterations: ${run.verdicts.slice(-12).map(each => verdict(each.verdict).word).join(', ')}">${
  run.verdicts.slice(-12).map(each => html`<i class=${verdict(each.verdict).kind}>${verdict(each.verdict).letter}</i>`)}</span>`
  : nothing;

/** "export: " of step features.export.dev.1 in a phase of items, else nothing. */
const itemOf = (run, stepId, agent) => run.position?.item
  ? stepId.slice(run.position.phase.length + 1, stepId.lastIndexOf('.' + agent + '.')) + ': ' : '';

const runsFor = (run, now) => {
  const steps = Object.entries(run.open ?? {});
  if (run.status !== 'running') return nothing;
  if (!steps.length) return run.position?.stepId ? html`<span class="step">${run.position.stepId}</span> ` : nothing;
  return steps.slice(0, 2).map(([stepId, step], index) => html`${index ? '· ' : nothing}<span class="step">${itemOf(run, stepId, step.agent)}${
    step.agent} ${duration(now - Date.parse(step.startedAt))}</span> `);
};

const actionOf = run => {
  if (run.asks?.length) return 'Answer';
  if (run.status !== 'paused') return 'Resume';
  return run.pause?.questions?.length ? 'Answer' : 'Review';
};

/** Since when it has its status; of one that is under way, as if it had been so without a break. */
const since = (run, now) => {
  if (['running', 'stopping'].includes(run.status) && run.startedAt) return new Date(now - activeTime(run, now)).toISOString();
  return waitsSince(run);
};

const seen = (page, runs) => {
  markSeen(runs);
  page.relist();
};

const actionsOf = (page, run, kind) => html`<td class="do">${kind === 'needs' ? html`<a class="button main" href=${toRun(run.runId)}
    tabindex="-1" aria-label="${actionOf(run)} ${run.name}" @click=${() => { page.answering = true; }}>${actionOf(run)}</a>` : nothing}${
  run.status === 'waiting' && page.canControl() ? html`<button aria-label="Continue ${run.name} now"
    @click=${() => continueNow(page, run)}>Continue now</button>` : nothing}${
  kind === 'needs' && hasEnded(run) ? html`<button class="plain seen" aria-label="Mark ${run.name} as seen"
    @click=${() => seen(page, [run])}>Mark as seen</button>` : nothing}</td>`;

/** Without the name, which most ids begin with and which is above it. */
const shortId = ({runId, name}) => name && runId.startsWith(name + '-') ? '…' + runId.slice(name.length + 1) : runId;

const row = (page, run, kind) => {
  const {now} = page;
  const {sign, kind: colour, word} = status(run);
  return html`<tr class="run ${run.status}">
    <th scope="row"><a class="row" href=${toRun(run.runId)}><span class="sign ${colour}" aria-hidden="true">${sign}</span>
      <span class="name">${run.name ?? run.runId}</span></a>${run.runId === run.name ? nothing : html`<span class="id" title=${run.runId}>${shortId(run)}</span>`}</th>
    <td class="status"><span class="word ${colour}">${word}</span> <time class="age" datetime=${since(run, now)}>${age(since(run, now), now)}</time>
      <span class="where">${where(run)} ${strip(run)}</span></td>
    <td class="why">${runsFor(run, now)}<span>${why(run, now)}</span></td>
    <td class="cost ${(run.usage?.costUsd ?? run.limits?.costUsd ?? null) === null ? 'unknown' : ''}">${cost(run)}</td>
    ${actionsOf(page, run, kind)}
  </tr>`;
};

const head = html`<colgroup><col class="run"><col class="status"><col class="why"><col class="cost"><col class="do"></colgroup>
  <thead><tr><th scope="col">Run</th><th scope="col">Status</th><th scope="col">Why and what</th><th scope="col" class="cost">Cost</th>
  <th scope="col"><span class="unseen">Action</span></th></tr></thead>`;

const more = (page, kind, left) => left > 0 ? html`<tr class="rest"><td colspan=${COLUMNS}><button @click=${() => {
  page.rows.set(kind, (page.rows.get(kind) ?? MOST_ROWS) + MORE_ROWS);
  page.changed();
}}>Show ${Math.min(left, MORE_ROWS)} more</button></td></tr>` : nothing;

/** The rows of one list below its name; all lists share one table and its header. */
const list = (page, kind, title, {runs, groups = runs, keyOf, rowOf, beside = nothing, others = []}) => {
  if (!runs.length && !others.length) return nothing;
  const most = page.rows.get(kind) ?? MOST_ROWS;
  const built = page.grow(kind, Math.min(most, groups.length), ROWS_AT_ONCE);
  return html`<tbody class="list ${kind}" id="list-${kind}"><tr class="title"><th scope="rowgroup" colspan=${COLUMNS}><h2>${title} (${
    runs.length + others.length})</h2> ${beside}</th></tr>
    ${others}    ${repeat(groups.slice(0, built), keyOf, rowOf)}${more(page, kind, groups.length - most)}</tbody>`;
};

/** As it is by now: the lists are made only when their order changes. */
const present = (page, run) => page.store.runs.get(run.runId) ?? run;

const rowsOf = (page, kind, runs) => ({runs, keyOf: run => run.runId, rowOf: run => {
  page.visible.add(run.runId);
  return row(page, present(page, run), kind);
}});

const group = (page, each) => {
  const runs = each.runs.map(run => present(page, run));
  if (runs.length === 1 || page.more.has(each.key)) return runs.map(run => row(page, run, 'ended'));
  return html`<tr class="group"><th scope="row"><button class="plain" aria-expanded="false" @click=${() => {
    page.more.add(each.key);
    page.changed();
  }}>${each.name} ×${runs.length}</button></th><td class="status"><span class="word good">completed</span> <time class="age">${
    age(runs[0].endedAt, page.now)}</time></td><td class="why">all ${runs.length} completed</td><td class="cost">${
    money(runs.reduce((sum, run) => run.usage?.costUsd === null ? sum : (sum ?? 0) + run.usage.costUsd, null))}${least(runs)}</td>
    <td class="do"></td></tr>`;
};

/** A schedule whose newest fire failed, beside the runs that need a person. */
const scheduleRow = (page, {name, attention, fires: [fire]}) => html`<tr class="run failed"><th scope="row"><a class="row" href=${toSchedule(name)}><span
    class="sign bad" aria-hidden="true">✖</span> <span class="name">${name}</span></a></th>
  <td class="status"><span class="word bad">failed fire</span> <time class="age" datetime=${fire?.at}>${age(fire?.at, page.now)}</time></td>
  <td class="why"><span>${attention}</span></td><td class="cost unknown"></td><td class="do"><a class="button main" href=${toSchedule(name)}
    tabindex="-1" aria-label="Review schedule ${name}">Review</a></td></tr>`;

const filters = (page, filter, counts) => {
  const shown = STATUSES.filter(name => counts.has(name) || name === filter);
  const all = [['all', 'All', null], ['needs', 'Needs attention', page.waiting], ...shown.map(name => [name, capital(name), counts.get(name) ?? 0])];
  return html`<nav aria-label="Which runs"><ul class="filters">${all.map(([name, title, many]) => html`<li><a
    href=${toRuns(name, page.route.q)} aria-current=${name === filter ? 'true' : 'false'} aria-label=${many ? title + ', ' + many : title}>${title}${
    many ? html` <b class="count">${many}</b>` : nothing}</a></li>`)}</ul></nav>`;
};

const nothingToShow = page => {
  if (page.store.runs.size) return 'No run matches the search and filter.';
  if (page.connection.state !== 'live' || page.store.cursor === null) return 'Loading …';
  return html`<p>There are no runs yet.</p>
    ${page.session && page.canControl() ? html`<p><button class="main" id="example" @click=${() => runExample(page)}>Run an example</button> starts three
      iterations of <code>echo</code> here.</p>` : nothing}
    <p>At a terminal: <code>loopkeeper init demo && ${command(page, 'submit demo/loopkeeper.yaml')}</code></p>
    <p>For your own project: <code>loopkeeper init</code> in its folder, or a manifest at <a href="#/new">New run</a>.</p>`;
};

export const runsView = page => {
  const {q, status: filter} = page.route;
  const {needs, going, ended, groups, counts} = listed(page.store, filter, q);
  const endings = needs.filter(hasEnded);
  page.visible.clear();
  const failed = filter === 'all' || filter === 'needs' ? failedSchedules(page, q) : [];
  const none = !failed.length && !needs.length && !going.length && !ended.length;
  return html`<div class="bar"><h1 class="unseen">Runs</h1>
    <form role="search" @submit=${event => event.preventDefault()}><label class="unseen" for="search">Search runs</label>
      <input id="search" type="search" placeholder="/ search" .value=${q}
        @input=${event => page.replace(toRuns(filter, event.target.value))}></form>
    ${filters(page, filter, counts)}
    ${page.today === null ? nothing : html`<p id="today" title="what the runs that began today have cost so far, as far as this page knows them">today
      <b>${money(page.today)}</b>${page.older ? '+' : ''}</p>`}</div>
    ${none ? html`<div class="empty">${nothingToShow(page)}</div>` : html`<table class="runs"><caption class="unseen">Runs</caption>${head}
      ${list(page, 'needs', 'Needs attention', {...rowsOf(page, 'needs', needs), others: failed.map(each => scheduleRow(page, each)), beside: endings.length > 1 ? html`<button
        class="plain" id="all-seen" @click=${() => seen(page, endings)}>Mark all ${endings.length} endings as seen</button>` : nothing})}
      ${list(page, 'going', 'Under way', rowsOf(page, 'going', going))}
      ${list(page, 'ended', 'Ended', {runs: ended, groups, keyOf: each => each.key, rowOf: each => group(page, each)})}</table>`}
    ${page.older ? html`<p><button id="older" @click=${page.loadOlder}>Older runs</button></p>` : nothing}`;
};
