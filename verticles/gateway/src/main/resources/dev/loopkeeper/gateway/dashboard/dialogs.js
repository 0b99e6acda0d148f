// Dialogs: what is confirmed before something is done, and what the keys do.

import {html, nothing, render} from './lit-html.js';
import {live} from './directives/live.js';
import {clock, command} from './format.js';
import {learn} from './store.js';
import {get, post, runPath} from './api.js';

const MOST_LOOKS = 10;
const BETWEEN_LOOKS = 300;

/** Closes the one that is open, if any. */
export let closeDialog = () => {};

export const open = (page, content) => {
  const place = document.getElementById('dialogs');
  const before = document.activeElement;
  let closed = false;
  const close = () => {
    closed = true;
    closeDialog = () => {};
    place.querySelector('dialog')?.close();
    render(nothing, place);
    if (before?.isConnected) before.focus();
    else page.focus ??= '#main';
    page.changed();
  };
  const paint = () => {
    if (closed) return;
    render(html`<dialog aria-labelledby="dialog-title" @cancel=${event => {
      event.preventDefault();
      close();
    }}>${content(close)}</dialog>`, place);
    const dialog = place.querySelector('dialog');
    if (!dialog.open) dialog.showModal();
    else if (!dialog.contains(document.activeElement)) dialog.querySelector('[autofocus]')?.focus();
  };
  closeDialog = close;
  paint();
  return {close, paint};
};

export const dialogOpen = () => Boolean(document.querySelector('dialog[open]'));

export const copied = async (page, text) => {
  try {
    await navigator.clipboard.writeText(text);
    page.announce('copied');
  } catch {
    page.announce('could not copy');
  }
};

/** Answers whether a person said yes. */
export const confirm = (page, {title, text, yes}) => new Promise(resolve => {
  const choose = (close, answer) => {
    close();
    resolve(answer);
  };
  open(page, close => html`<h2 id="dialog-title">${title}</h2><p>${text}</p>
    <p class="buttons"><button id="cancel" autofocus @click=${() => choose(close, false)}>Cancel</button>
    <button class="danger" id="confirm" @click=${() => choose(close, true)}>${yes}</button></p>`);
});

export const receiptTable = receipts => html`${receipts.map(receipt => html`<table class="receipt">
  <caption>${receipt.outcome === 'gone' ? 'All gone' : 'Survivors are left'}: ${receipt.stepId ?? 'the whole run'},
    asked ${clock(receipt.requestedAt)}, verified ${clock(receipt.verifiedAt)}${receipt.sandbox ? ', sandbox ' + receipt.sandbox : ''}</caption>
  <thead><tr><th scope="col">Pid</th><th scope="col">Command</th><th scope="col">Found by</th>
    <th scope="col">Signals</th><th scope="col">Gone</th></tr></thead>
  <tbody>${receipt.processes.map(each => html`<tr><td>${each.pid}</td><td class="command">${each.command}</td>
    <td>${each.foundBy}</td><td>${each.signals.join(', ')}</td><td>${each.goneAt ? clock(each.goneAt) : 'alive'}</td></tr>`)}
  </tbody></table>`)}`;

const sums = receipts => {
  const all = receipts.flatMap(receipt => receipt.processes);
  const of = signal => all.filter(each => each.signals.some(sent => sent.includes(signal))).length;
  const alive = all.filter(each => !each.goneAt).length;
  return `TERM ${of('TERM')}, KILL ${of('KILL')}, gone ${all.length - alive}${alive ? ', alive ' + alive : ''}`;
};

/** Confirm, stop, and show the receipt of what was ended. */
export const stopDialog = async (page, run) => {
  const state = {reason: '', now: run.status === 'stopping', processes: null, phase: 'ask', receipts: null, problem: null};
  const stop = async () => {
    if (state.phase !== 'ask') return;
    state.phase = 'stopping';
    dialog.paint();
    try {
      const known = (await get(runPath(run.runId, 'receipts'))).receipts.length;
      const body = {...state.reason.trim() ? {reason: state.reason.trim()} : {}, ...state.now ? {now: true} : {}};
      learn(page.store, await post(runPath(run.runId, 'stop') + '?wait=60s', body));
      for (let look = 0; look < MOST_LOOKS; look++) {
        state.receipts = (await get(runPath(run.runId, 'receipts'))).receipts.slice(known);
        if (state.receipts.length || !state.processes?.length) break;
        await new Promise(resolve => { setTimeout(resolve, BETWEEN_LOOKS); });
      }
      state.phase = 'done';
      page.details.get(run.runId)?.loadReceipts();
    } catch (refused) {
      state.problem = refused.message;
      state.phase = 'ask';
    }
    dialog.paint();
    page.changed();
  };
  const dialog = open(page, close => html`<h2 id="dialog-title">Stop ${run.name}?</h2>
    ${state.problem ? html`<p class="problem" role="alert">${state.problem}</p>` : nothing}
    ${state.phase === 'done' ? html`<div id="stopped" role="status"><p><b>Stopped.</b>
        ${state.receipts.length ? sums(state.receipts) : 'No process was left to end.'}</p>
        ${receiptTable(state.receipts)}</div>
        <p class="buttons"><button class="main" id="close" autofocus @click=${close}>Close</button></p>`
      : html`<p class="hint">${run.runId}</p>
        <p>${state.processes === null ? 'Searching for processes of the run …'
          : state.processes.length ? 'These processes and their descendants are ended:' : 'No process of this run is running.'}</p>
        <ul>${(state.processes ?? []).map(each => html`<li><b>${each.role}</b> pid ${each.pid}
          <span class="command">${[each.command].flat().join(' ')}</span></li>`)}</ul>
        <div class="field"><label for="stop-reason">Reason (optional)</label>
          <input id="stop-reason" .value=${live(state.reason)} @input=${event => { state.reason = event.target.value; }}></div>
        <label class="tick"><input type="checkbox" .checked=${live(state.now)}
          @change=${event => { state.now = event.target.checked; }}> <span>At once, without time to finish</span></label>
        <p class="hint">At a terminal: <code>${command(page, 'stop ' + run.runId + (state.now ? ' --now' : ''))}</code></p>
        <p class="buttons"><button id="cancel" autofocus @click=${close}>${state.phase === 'ask' ? 'Cancel' : 'Close'}</button>
        <button class="danger" id="confirm-stop" aria-disabled=${state.phase === 'ask' ? 'false' : 'true'} @click=${stop}>
        ${state.phase === 'stopping' ? 'Stopping …' : 'Stop the run'}</button></p>`}`);
  try {
    state.processes = (await get('/processes')).processes.filter(process => process.runId === run.runId);
  } catch (refused) {
    state.problem = refused.message;
  }
  dialog.paint();
};

const KEYS = [['/', 'search'], ['j k', 'next and previous row'], ['Enter', 'open'], ['g r', 'all runs'], ['g n', 'new run'], ['g p', 'processes'], ['g o', 'policy'],
  ['a', 'answer: the first field of the form'], ['.', 'the main action of the run'], ['[ ]', 'previous and next iteration'],
  ['f', 'follow the log'], ['?', 'this help'], ['Esc', 'leave a field or a dialog']];

export const helpDialog = page => open(page, close => html`<h2 id="dialog-title">Keys</h2>
  <dl class="keys">${KEYS.map(([key, text]) => html`<dt><kbd>${key}</kbd></dt><dd>${text}</dd>`)}</dl>
  <p class="buttons"><button class="main" id="close" autofocus @click=${close}>Close</button></p>`);
