// One run: why it is here, what it did, what it does.

import {html, nothing} from './lit-html.js';
import {repeat} from './directives/repeat.js';
import {activeTime, awaited, clock, count, duration, status, tokens, where} from './format.js';
import {hasEnded} from './fold.js';
import {askCards} from './asks.js';
import {toRun} from './routes.js';
import {whyCard} from './why.js';
import {strip} from './picture.js';
import {lanes} from './timeline.js';
import {logTab} from './steps.js';
import {cost} from './runs-view.js';
import {confirm, copied, receiptTable, stopDialog} from './dialogs.js';
import {sentence} from './events.js';
import {costTab} from './cost.js';
import {diffTab} from './diff.js';
import {itemsTab} from './items.js';
import {act, continueNow} from './act.js';
import {markSeen, needsPerson} from './attention.js';
import {post} from './api.js';

const TABS = [['log', 'Log'], ['items', 'Items'], ['cost', 'Cost'], ['diff', 'Changes'], ['events', 'Events'], ['processes', 'Processes'], ['manifest', 'Manifest']];
const PHASE_SIGNS = {pending: '○', active: '●', halted: '◆', passed: '✓', warned: '!', failed: '✖', finished: '✓', waived: '–'};
const EVENTS_AT_ONCE = 25;

const actions = (page, run) => {
  if (hasEnded(run)) {
    return needsPerson(run) ? html`<div id="actions" class="buttons"><button id="seen" @click=${() => {
      markSeen([run]);
      page.relist();
    }}>Mark as seen</button></div>` : nothing;
  }
  if (!page.canControl()) return nothing;
  const canPause = run.status === 'running' || run.status === 'waiting';
  return html`<div id="actions" class="buttons">
    ${run.status === 'queued' ? html`<button id="start-now" @click=${() => act(page, run, 'resume', {action: 'continue'})}>Start</button>` : nothing}
    ${run.status === 'waiting' ? html`<button id="continue-now" class="main" @click=${() => continueNow(page, run)}>Continue now</button>` : nothing}
    ${canPause ? html`<button id="pause" aria-disabled=${run.pausing ? 'true' : 'false'} @click=${() => run.pausing || act(page, run, 'pause', {})}>${
      run.pausing ? 'Pausing …' : 'Pause'}</button>` : nothing}
    <button id="stop" class="danger" @click=${() => stopDialog(page, run)}>${
      run.status === 'stopping' ? 'Stop at once …' : 'Stop …'}</button></div>`;
};

const fact = (name, value, more = '') => html`<div class=${more}><dt>${name}</dt> <dd>${value}</dd></div>`;

/** Nothing where it is neither reported nor limited. */
const spent = (name, used, cap) => (used ?? cap ?? null) === null ? nothing
  : fact(name, count(used) + (cap ? ' of ' + count(cap) : ''), 'minor');

const header = (page, run) => {
  const {sign, kind, word} = status(run);
  const used = tokens(run.usage);
  return html`<header class="run-head"><div class="title"><a class="back" href="#/">← Runs</a>
    <h1 tabindex="-1"><span class="sign ${kind}" aria-hidden="true">${sign}</span> <bdi class="name">${run.name ?? run.runId}</bdi>
      <span class="word ${kind}">${word}</span></h1>
    ${run.runId === run.name ? nothing : html`<span class="id">${run.runId}</span>`}
    ${actions(page, run)}</div>
    <dl class="numbers">${[
      fact('At', where(run) || '–'),
      run.execution > 1 ? fact('Execution', run.execution) : nothing,
      fact('Time', run.startedAt ? duration(activeTime(run, page.now)) : '–'),
      fact('Cost', cost(run)),
      spent('Tokens', used, run.limits?.tokens),
      spent('Turns', run.usage?.turns, run.limits?.turns),
      fact('Workspace', html`<bdi class="path">${run.workspace ?? '–'}</bdi> ${run.workspace ? html`<button
        type="button" class="plain" aria-label="Copy the workspace's path" @click=${() => copied(page, run.workspace)}>copy</button>` : nothing}`, 'minor'),
      awaited(run) ? fact('Waits for', awaited(run)) : nothing,
      run.owner?.node ? fact('Node', run.owner.node) : nothing]}</dl>
    ${page.problem ? html`<p class="problem" role="alert">${page.problem}</p>` : nothing}</header>`;
};

/** A phase in which its run is paused or ended is not under way. */
const standing = (run, phase) =>
  phase.status === 'stopped' || phase.status === 'active' && run.status === 'paused' ? 'halted' : phase.status;

const phases = run => run.phases?.length ? html`<ol class="phases" aria-label="Phases">${run.phases.map(phase => html`
  <li class=${standing(run, phase)}><span aria-hidden="true">${PHASE_SIGNS[standing(run, phase)] ?? '·'}</span> <bdi>${phase.name}</bdi>
    <span class="unseen">${standing(run, phase) === 'halted' ? run.status : phase.status}</span></li>`)}</ol>` : nothing;

const KINDS_OF_EVENTS = ['all', 'run', 'phase', 'iteration', 'item', 'step', 'ask', 'workspace', 'notice'];
const isOfKind = (event, kind) => kind === 'all' || event.type === kind || event.type.startsWith(kind + '.');

const eventsTab = (page, run, details) => {
  const events = details.events.filter(event => isOfKind(event, page.kindOfEvents)).reverse();
  return html`<div class="field short"><label for="kind">Which events</label>
    <select id="kind" @change=${changed => {
      page.kindOfEvents = changed.target.value;
      page.changed();
    }}>${KINDS_OF_EVENTS.map(kind => html`<option value=${kind} ?selected=${kind === page.kindOfEvents}>${kind}</option>`)}</select></div>
  <table class="events"><caption>Events, newest first</caption>
  <thead><tr><th scope="col">No.</th><th scope="col">Time</th><th scope="col">What</th></tr></thead>
  <tbody>${repeat(events.slice(0, page.grow('events', events.length, EVENTS_AT_ONCE)), event => event.sequence, event => html`<tr>
    <td>${event.sequence}</td><td><time datetime=${event.at}>${clock(event.at)}</time></td>
    <td><details @toggle=${opened => {
      const raw = opened.target.querySelector('pre');
      if (opened.target.open && !raw.textContent) raw.textContent = JSON.stringify(event, null, 2);
    }}><summary>${sentence(event)}</summary><pre tabindex="0"></pre></details></td></tr>`)}</tbody></table>`;
};

const kill = async (page, run, details, process) => {
  const yes = await confirm(page, {title: `End ${process.role}?`,
    text: `Process ${process.pid} and its descendants are ended. A run whose step must leave a signal pauses then.`,
    yes: 'End it'});
  if (!yes) return;
  try {
    await post('/processes/' + encodeURIComponent(run.runId) + '/' + encodeURIComponent(process.role) + '/kill');
    page.problem = null;
  } catch (refused) {
    page.problem = refused.message;
  }
  details.loadProcesses();
  details.loadReceipts();
};

const processesTab = (page, run, details) => html`<section aria-label="Processes">
  ${details.processes?.length ? html`<table class="cards"><caption>Processes</caption>
    <thead><tr><th scope="col">Pid</th><th scope="col">Agent</th><th scope="col">Step</th><th scope="col">Since</th>
      <th scope="col">Command</th><th scope="col"><span class="unseen">End it</span></th></tr></thead>
    <tbody>${details.processes.map(process => html`<tr><td data-label="pid">${process.pid}</td><td>${process.role}</td><td>${process.stepId}</td>
      <td>${clock(process.startedAt)}</td><td class="command">${[process.command].flat().join(' ')}</td>
      <td>${page.canControl() && process.role !== '(git)' ? html`<button class="danger" @click=${() => kill(page, run, details, process)}>End ${process.role} …</button>`
        : nothing}</td></tr>`)}</tbody></table>`
    : html`<p class="empty">${details.processes ? 'No process of this run is running.' : 'Loading …'}</p>`}
  ${details.receipts?.length ? html`<h2>Receipts</h2>${receiptTable(details.receipts)}` : nothing}</section>`;

const manifestTab = (page, run, details) => details.manifest ? html`<pre class="manifest" tabindex="0">${
  JSON.stringify(details.manifest, null, 2)}</pre>` : html`<p class="empty">Loading …</p>`;

const VIEWS = {log: logTab, items: itemsTab, cost: costTab, diff: diffTab, events: eventsTab, processes: processesTab, manifest: manifestTab};

export const runView = (page, run, details) => {
  const hasItems = run.phases?.some(phase => phase.kind === 'each');
  const shown = TABS.filter(([name]) => (name !== 'items' || hasItems) && (name !== 'diff' || run.git));
  const tab = shown.some(([name]) => name === page.route.tab) ? page.route.tab : 'log';
  return html`${header(page, run)}
    ${phases(run)}
    ${askCards(page, run)}
    ${whyCard(page, run, details)}
    ${strip(page, run.runId, details)}
    ${lanes(page, details, run)}
    <nav aria-label="Parts of the run"><ul class="tabs">${shown
      .map(([name, title]) => html`<li><a href=${toRun(run.runId, name)} aria-current=${name === tab ? 'page' : 'false'}>${title}</a></li>`)}
    </ul></nav>
    ${details.problem ? html`<p class="problem" role="alert">${details.problem}</p>` : nothing}
    <div class="part">${VIEWS[tab](page, run, details)}</div>`;
};
