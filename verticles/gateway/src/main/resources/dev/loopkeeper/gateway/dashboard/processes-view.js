// The processes of all runs on the server's machine, and orphaned ones.

import {html, nothing} from './lit-html.js';
import {repeat} from './directives/repeat.js';
import {age, clock} from './format.js';
import {toRun, toStep} from './routes.js';
import {confirm, receiptTable} from './dialogs.js';
import {get, post} from './api.js';

const LEAST_BETWEEN_LOOKS = 1000;

const fresh = () => ({processes: null, orphans: null, receipts: [], problem: null, busy: false, stale: true,
  asked: 0, looking: false});

const load = async (page, state) => {
  if (state.looking) return;
  state.looking = true;
  state.stale = false;
  state.asked = performance.now();
  try {
    state.processes = (await get('/processes')).processes;
    state.problem = null;
  } catch (refused) {
    state.problem = refused.message;
  }
  state.looking = false;
  page.changed();
};

const during = async (page, state, work) => {
  if (state.busy) return;
  state.busy = true;
  state.problem = null;
  page.changed();
  try {
    await work();
  } catch (refused) {
    state.problem = refused.message;
  }
  state.busy = false;
  await load(page, state);
};

const endIt = async (page, state, process) => {
  const yes = await confirm(page, {title: `End ${process.role}?`,
    text: `Process ${process.pid} of ${process.runId} and its descendants are ended. A run whose step must leave a signal pauses then.`,
    yes: 'End it'});
  if (!yes) return;
  await during(page, state, async () => {
    const receipt = await post('/processes/' + encodeURIComponent(process.runId) + '/' + encodeURIComponent(process.role) + '/kill');
    state.receipts = [receipt, ...state.receipts];
  });
};

const reap = async (page, state) => {
  const many = state.orphans.length;
  const yes = await confirm(page, {title: `End ${many} ${many === 1 ? 'process' : 'processes'}?`,
    text: 'These processes were started by a step of a run, but the step is no longer open.', yes: 'End them'});
  if (!yes) return;
  await during(page, state, async () => {
    const {receipts} = await post('/processes/reap', {dryRun: false});
    state.receipts = [...receipts ?? [], ...state.receipts];
    state.orphans = null;
  });
};

const row = (page, state, process) => {
  const run = page.store.runs.get(process.runId);
  return html`<tr><td data-label="pid">${process.pid}</td>
    <th scope="row"><a class="row" href=${toRun(process.runId)}>${run?.name ?? process.runId}</a></th>
    <td>${process.role}</td><td><a href=${toStep(process.runId, process.stepId)}>${process.stepId}</a></td>
    <td><time datetime=${process.startedAt} title=${clock(process.startedAt)}>${age(process.startedAt, page.now)}</time></td>
    <td>${process.state}</td><td class="command">${[process.command].flat().join(' ')}</td>
    <td>${page.canControl() && process.role !== '(git)' ? html`<button class="danger" aria-disabled=${state.busy ? 'true' : 'false'} aria-label="End ${process.role} of ${run?.name ?? process.runId}"
      @click=${() => endIt(page, state, process)}>End …</button>` : nothing}</td></tr>`;
};

const orphans = (page, state) => html`<section aria-label="Orphaned processes" class="card"><h2>Orphaned processes</h2>
  <p>Processes that steps of this server's runs started and that outlived their step.</p>
  ${page.canControl() ? html`<p class="buttons"><button id="find-orphans" aria-disabled=${state.busy ? 'true' : 'false'} @click=${() => during(page, state, async () => {
    state.orphans = (await post('/processes/reap', {dryRun: true})).strays;
  })}>Find orphaned processes</button>
  ${state.orphans?.length ? html`<button id="reap" class="danger" aria-disabled=${state.busy ? 'true' : 'false'} @click=${() => reap(page, state)}>End them …</button>`
    : nothing}</p>` : html`<p class="hint">Your token permits viewing only.</p>`}
  <div role="status">${state.orphans === null ? nothing : state.orphans.length ? html`<table id="orphans" class="cards"><caption>Found (${state.orphans.length})</caption>
    <thead><tr><th scope="col">Pid</th><th scope="col">Run</th><th scope="col">Step</th><th scope="col">Command</th></tr></thead>
    <tbody>${state.orphans.map(each => html`<tr><td data-label="pid">${each.pid}</td><td>${each.runId ?? ''}</td><td>${each.stepId ?? ''}</td>
      <td class="command">${[each.command].flat().join(' ')}</td></tr>`)}</tbody></table>`
    : html`<p id="no-orphans">There are no orphaned processes.</p>`}</div></section>`;

/** Steps begin and end: the list is no longer true. */
export const processesChanged = (page, type) => {
  if (page.processes && (type === 'snapshot' || type === 'step.started' || type === 'step.finished' || type === 'step.swept')) {
    page.processes.stale = true;
  }
};

export const processesView = page => {
  page.processes ??= fresh();
  const state = page.processes;
  if (state.stale && performance.now() - state.asked > LEAST_BETWEEN_LOOKS) load(page, state);
  return html`<h1>Processes</h1>
    ${state.problem ? html`<p class="problem" role="alert">${state.problem}</p>` : nothing}
    ${state.processes?.length ? html`<table id="processes" class="cards">
      <caption>Of all runs (${state.processes.length})</caption>
      <thead><tr><th scope="col">Pid</th><th scope="col">Run</th><th scope="col">Agent</th><th scope="col">Step</th><th scope="col">Age</th>
        <th scope="col">State</th><th scope="col">Command</th><th scope="col"><span class="unseen">End it</span></th></tr></thead>
      <tbody>${repeat(state.processes, each => each.runId + each.stepId + each.pid, each => row(page, state, each))}</tbody></table>`
      : html`<p class="empty">${state.processes ? 'No process of a run is running.' : 'Loading …'}</p>`}
    ${orphans(page, state)}
    ${state.receipts.length ? html`<section aria-label="Receipts" id="receipts"><h2>Receipts</h2>${receiptTable(state.receipts)}</section>` : nothing}`;
};
