// All runs: what waits for a person first.

import {html, nothing} from './lit-html.js';
import {repeat} from './directives/repeat.js';
import {activeTime, age, duration, money, status, verdict, where, why} from './format.js';
import {listed} from './store.js';
import {toRun, toRuns} from './routes.js';

const MOST_ROWS = 40;
const MORE_ROWS = 200;
const ROWS_AT_ONCE = 12;
const WARN_AT = 0.8;
const FILTERS = [['all', 'All'], ['open', 'Open'], ['needs', 'Needs you'], ['ended', 'Ended']];

const meter = (spent, cap) => {
  const part = spent / cap;
  return html`<meter min="0" max="1" low=${WARN_AT} high="0.999" optimum="0" value=${Math.min(1, part).toFixed(3)}
    aria-label="${Math.round(part * 100)} % of the cap"></meter>`;
};

const least = runs => runs.some(run => run.usage?.costKnown === false)
  && runs.some(run => (run.usage?.costUsd ?? null) !== null) ? html`<span title="some steps have not told their cost">+<span
    class="unseen"> or more</span></span>` : nothing;

export const cost = run => html`<span class="money">${money(run.usage?.costUsd)}${least([run])}${run.limits?.costUsd
  ? html` of ${money(run.limits.costUsd)} ${(run.usage?.costUsd ?? null) === null ? nothing : meter(run.usage.costUsd, run.limits.costUsd)}` : nothing}</span>`;

const strip = run => run.verdicts?.length ? html`<span class="tiny" role="img"
  aria-label="latest iterations: ${run.verdicts.slice(-12).map(each => verdict(each.verdict).word).join(', ')}">${
  run.verdicts.slice(-12).map(each => html`<i class=${verdict(each.verdict).kind}>${verdict(each.verdict).letter}</i>`)}</span>`
  : nothing;

const runsFor = (run, now) => {
  const steps = Object.values(run.open ?? {});
  if (run.status !== 'running') return nothing;
  if (!steps.length) return run.position?.stepId ? html`<span class="step">${run.position.stepId}</span> ` : nothing;
  return steps.slice(0, 2).map(step => html`<span class="step">${step.agent} ${duration(now - Date.parse(step.startedAt))}</span> `);
};

const DO = {needs: run => run.pause?.questions?.length ? 'Answer' : 'Decide', going: () => 'Look', ended: run => run.status !== 'completed' && run.resumable !== false ? 'Resume' : 'Look'};

/** Since when it is as it is; of one that goes on, as if it had been under way without a break. */
const since = (run, kind, now) => {
  if (kind === 'going' && run.startedAt) return new Date(now - activeTime(run, now)).toISOString();
  return (kind === 'needs' ? run.pause?.since : run.endedAt) ?? run.createdAt ?? '';
};

const row = (run, kind, now) => {
  const {sign, kind: colour, word} = status(run);
  return html`<tr class=${run.status}>
    <th scope="row"><a class="row" href=${toRun(run.runId)}><span class="sign ${colour}" aria-hidden="true">${sign}</span>
      <span class="name">${run.name ?? run.runId}</span></a>${run.runId === run.name ? nothing : html`<span class="id">${run.runId}</span>`}</th>
    <td class="status"><span class="word ${colour}">${word}</span></td>
    <td class="where">${where(run)} ${strip(run)}</td>
    <td class="why">${runsFor(run, now)}<span>${why(run, now)}</span></td>
    <td class="cost">${cost(run)}</td>
    <td class="age"><time datetime=${since(run, kind, now)}>${age(since(run, kind, now), now)}</time></td>
    <td class="do"><a href=${toRun(run.runId)} tabindex="-1" aria-label="${DO[kind](run)} ${run.name}">${DO[kind](run)}</a></td>
  </tr>`;
};

const columns = html`<colgroup><col class="run"><col class="status"><col class="where"><col class="why"><col class="cost"><col class="age"><col
  class="do"></colgroup><thead><tr><th scope="col">Run</th><th scope="col">Status</th><th scope="col">Where</th>
  <th scope="col">Why and what</th><th scope="col">Cost</th><th scope="col">Age</th><th scope="col"><span class="unseen">Open</span></th></tr></thead>`;

const table = (page, kind, title, runs) => {
  if (!runs.length) return nothing;
  const most = page.rows.get(kind) ?? MOST_ROWS;
  const built = page.grow(kind, Math.min(most, runs.length), ROWS_AT_ONCE);
  const shown = runs.slice(0, built).map(run => page.store.runs.get(run.runId) ?? run);
  shown.forEach(run => page.visible.add(run.runId));
  return html`<section class="list ${kind}" id="list-${kind}"><table><caption>${title} (${runs.length})</caption>${columns}
    <tbody>${repeat(shown, run => run.runId, run => row(run, kind, page.now))}</tbody></table>
    ${more(page, kind, runs.length - most)}</section>`;
};

const more = (page, kind, left) => left > 0 ? html`<p><button @click=${() => {
  page.rows.set(kind, (page.rows.get(kind) ?? MOST_ROWS) + MORE_ROWS);
  page.changed();
}}>Show ${Math.min(left, MORE_ROWS)} more</button></p>` : nothing;

const group = (page, {runs, ...rest}) => {
  const each = {...rest, runs: runs.map(run => page.store.runs.get(run.runId) ?? run)};
  if (each.runs.length === 1 || page.more.has(each.key)) return each.runs.map(run => row(run, 'ended', page.now));
  const good = each.runs.filter(run => run.status === 'completed').length;
  return html`<tr class="group"><th scope="row"><button class="plain" @click=${() => {
    page.more.add(each.key);
    page.changed();
  }}>${each.name} ×${each.runs.length}</button></th><td class="status">${good} ok</td><td class="where"></td>
    <td class="why">${good < each.runs.length ? each.runs.length - good + ' not' : ''}</td><td class="cost">${
    money(each.runs.reduce((sum, run) => run.usage?.costUsd === null ? sum : (sum ?? 0) + run.usage.costUsd, null))}${least(each.runs)}</td>
    <td class="age">${age(each.runs[0].endedAt, page.now)}</td><td class="do"></td></tr>`;
};

const endedTable = (page, runs, groups) => {
  if (!runs.length) return nothing;
  const most = page.rows.get('ended') ?? MOST_ROWS;
  return html`<section class="list ended" id="list-ended"><table><caption>Ended (${runs.length})</caption>${columns}
    <tbody>${repeat(groups.slice(0, page.grow('ended', Math.min(most, groups.length), ROWS_AT_ONCE)), each => each.key, each => group(page, each))}</tbody></table>
    ${more(page, 'ended', groups.length - most)}
    ${page.older ? html`<p><button id="older" @click=${page.loadOlder}>Older runs</button></p>` : nothing}</section>`;
};

export const runsView = page => {
  const {q, status: filter} = page.route;
  const {needs, going, ended, groups} = listed(page.store, filter, q);
  const waiting = page.waiting;
  page.visible.clear();
  const none = !needs.length && !going.length && !ended.length;
  return html`<div class="bar"><h1 class="unseen">Runs</h1>
    <form role="search" @submit=${event => event.preventDefault()}><label class="unseen" for="search">Search runs</label>
      <input id="search" type="search" placeholder="/ search" .value=${q}
        @input=${event => page.replace(toRuns(filter, event.target.value))}></form>
    <nav aria-label="Which runs"><ul class="filters">${FILTERS.map(([name, title]) => html`<li><a
      href=${toRuns(name, q)} aria-current=${name === filter ? 'true' : 'false'}>${title}${
      name === 'needs' && waiting ? ' ' + waiting : ''}</a></li>`)}</ul></nav>
    ${page.today === null ? nothing : html`<p id="today" title="what the runs that began today have cost so far, as far as this page knows them">today
      <b>${money(page.today)}</b>${page.older ? '+' : ''}</p>`}</div>
    ${table(page, 'needs', 'Needs you', needs)}
    ${table(page, 'going', 'Running', going)}
    ${endedTable(page, ended, groups)}
    ${none ? html`<p class="empty">${page.store.runs.size ? 'No run is like that.' : page.connection.state === 'live' && page.store.cursor !== null
      ? html`There are no runs yet. Start one here by <a href="#/new">New run</a>, or with <code>loopkeeper submit MANIFEST</code>.`
      : 'Loading …'}</p>` : nothing}`;
};
