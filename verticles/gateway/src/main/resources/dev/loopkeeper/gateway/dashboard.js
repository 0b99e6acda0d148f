'use strict';
(() => {
  const API = '/api/v1';
  const LOG_TAIL = 64 * 1024;
  const MOST_EVENTS = 200;
  const MOST_STEPS = 200;
  const OPEN = ['queued', 'running', 'waiting', 'paused', 'stopping'];
  const byId = id => document.getElementById(id);
  const runs = new Map();
  const stale = new Map();
  let chosen = null;
  let chosenStep = null;
  let cursor = null;
  let log = null;
  let asked = 0;

  const token = () => sessionStorage.getItem('token') || '';

  /** Always as text: what agents and manifests say is never markup. */
  const element = (tag, text, kind) => {
    const made = document.createElement(tag);
    made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };

  const ask = (path, options = {}) => {
    const headers = {...options.headers};
    if (token()) headers.Authorization = 'Bearer ' + token();
    return fetch(API + path, {...options, headers, cache: 'no-store'});
  };

  const json = async (path, body) => {
    const answer = await ask(path, body === undefined ? {} : {
      method: 'POST', body: JSON.stringify(body), headers: {'Content-Type': 'application/json'}});
    const document = await answer.json();
    if (!answer.ok) throw new Error(document.detail || 'HTTP ' + answer.status);
    return document;
  };

  const path = (...parts) => '/runs/' + parts.map(encodeURIComponent).join('/');

  const where = run => {
    const at = run.position || {};
    const part = at.item ? ' ' + at.item : at.iteration ? ' #' + at.iteration : '';
    return (at.phase || '') + part;
  };

  const cost = run => run.usage && run.usage.costUsd !== null ? '$' + run.usage.costUsd.toFixed(2) : '';

  const showRuns = () => {
    const sorted = [...runs.values()].sort((one, other) => other.createdAt.localeCompare(one.createdAt));
    byId('runs').replaceChildren(...sorted.map(run => {
      const row = element('tr', '', run.runId === chosen ? 'chosen' : '');
      row.append(element('td', run.runId), element('td', run.status, run.status), element('td', where(run)),
        element('td', cost(run)), element('td', new Date(run.createdAt).toLocaleString()));
      row.onclick = () => choose(run.runId);
      return row;
    }));
    byId('no-runs').hidden = runs.size > 0;
  };

  const button = (text, work) => {
    const made = element('button', text);
    made.onclick = async () => {
      byId('outcome').textContent = '';
      try {
        await work();
      } catch (refused) {
        byId('outcome').textContent = refused.message;
      }
    };
    return made;
  };

  const resumeWith = async (runId, action) => {
    const feedback = byId('feedback').value.trim();
    await json(path(runId, 'resume'), feedback ? {action, feedback} : {action});
    if (runId === chosen) byId('feedback').value = '';
  };

  const showActions = (run, allowed) => {
    const buttons = [];
    if (OPEN.includes(run.status) && run.status !== 'stopping') {
      buttons.push(button('stop', () => json(path(run.runId, 'stop'), {})));
    }
    if (run.status === 'stopping') {
      buttons.push(button('stop now', () => json(path(run.runId, 'stop'), {now: true})));
    }
    if (run.status === 'running' || run.status === 'waiting') {
      buttons.push(button('pause', () => json(path(run.runId, 'pause'), {})));
    }
    const actions = run.status === 'queued' ? ['continue'] : allowed;
    actions.forEach(action => buttons.push(
      button(run.status === 'paused' ? action : 'resume', () => resumeWith(run.runId, action))));
    byId('actions').replaceChildren(...buttons);
  };

  const showSteps = (runId, steps) => byId('steps').replaceChildren(...steps.slice().reverse().map(step => {
    const row = element('tr', '', step.stepId === chosenStep ? 'chosen' : '');
    row.append(element('td', step.stepId), element('td', step.agent), element('td', step.status, step.status),
      element('td', step.pid === null ? '' : String(step.pid)),
      element('td', step.startedAt ? new Date(step.startedAt).toLocaleTimeString() : ''));
    row.onclick = () => readLog(runId, step.stepId);
    return row;
  }));

  const showRun = async runId => {
    const mine = ++asked;
    const [run, why, list] = await Promise.all(
      [json(path(runId)), json(path(runId, 'explain')), json(path(runId, 'steps') + '?limit=' + MOST_STEPS)]);
    runs.set(runId, run);
    showRuns();
    if (mine !== asked || runId !== chosen) return;
    byId('run').hidden = false;
    byId('run-id').textContent = runId;
    byId('summary').textContent = why.summary;
    const questions = run.pause && run.pause.questions ? run.pause.questions : [];
    const needs = why.resumeNeeds || [];
    byId('needs').textContent = questions.join(' ') + (needs.length ? 'A resume needs: ' + needs.join(', or ') : '');
    showActions(run, why.allowedActions);
    showSteps(runId, list.steps);
  };

  const showEvent = event => {
    const list = byId('events');
    const detail = JSON.stringify(event.data);
    list.prepend(element('li', event.at.slice(11, 19) + ' ' + event.type + ' ' + detail.slice(0, 300)));
    while (list.childElementCount > MOST_EVENTS) list.lastElementChild.remove();
  };

  const choose = async runId => {
    chosen = runId;
    chosenStep = null;
    if (log) log.abort();
    byId('log').textContent = 'Choose a step.';
    byId('log-title').textContent = 'Log';
    // What was typed for one run must not reach another one.
    byId('feedback').value = '';
    byId('outcome').textContent = '';
    byId('events').replaceChildren();
    try {
      const since = Math.max(0, (runs.get(runId).sequence || 0) - MOST_EVENTS);
      const history = await json(path(runId, 'events') + '?since=' + since + '&limit=1000');
      if (chosen === runId) history.events.forEach(showEvent);
      await showRun(runId);
    } catch (refused) {
      byId('outcome').textContent = refused.message;
    }
  };

  /** Both streams end at their last byte, or follow the step while it runs; only the tail is kept. */
  const readLog = async (runId, stepId) => {
    if (log) log.abort();
    log = new AbortController();
    chosenStep = stepId;
    byId('log-title').textContent = 'Log of ' + stepId;
    byId('log').textContent = '';
    try {
      const answer = await ask(path(runId, 'steps', stepId, 'log') + '?follow=true', {signal: log.signal});
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        const shown = byId('log');
        shown.textContent = (shown.textContent + part.value).slice(-LOG_TAIL);
        shown.scrollTop = shown.scrollHeight;
      }
    } catch (cut) {
      if (cut.name !== 'AbortError') byId('log').textContent += '\n(' + cut.message + ')';
    }
  };

  /** Many events of one run lead to one look at it. */
  const refresh = runId => {
    if (stale.has(runId)) return;
    stale.set(runId, setTimeout(async () => {
      stale.delete(runId);
      try {
        if (runId === chosen) {
          await showRun(runId);
        } else {
          runs.set(runId, await json(path(runId)));
          showRuns();
        }
      } catch (gone) {
        runs.delete(runId);
        showRuns();
      }
    }, 250));
  };

  const hear = message => {
    cursor = message.cursor;
    if (message.type === 'snapshot') {
      message.runs.forEach(run => runs.set(run.runId, run));
      showRuns();
      if (chosen) showRun(chosen);
    } else if (message.runId) {
      if (message.runId === chosen) showEvent(message);
      refresh(message.runId);
    }
  };

  const follow = async () => {
    const answer = await ask('/stream' + (cursor ? '?since=' + cursor : ''));
    byId('token-form').hidden = answer.status !== 401;
    if (!answer.ok) throw new Error(answer.status === 401 ? 'this server wants a token' : 'HTTP ' + answer.status);
    byId('connection').textContent = 'live';
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const messages = (text + part.value).split('\n\n');
      text = messages.pop();
      messages.forEach(message => {
        const data = message.split('\n').find(line => line.startsWith('data: '));
        if (data) hear(JSON.parse(data.slice(6)));
      });
    }
    throw new Error('the server has ended the connection');
  };

  const stayConnected = async () => {
    try {
      await follow();
    } catch (cut) {
      byId('connection').textContent = cut.message + '; trying again';
      setTimeout(stayConnected, 2000);
    }
  };

  byId('token-form').onsubmit = submitted => {
    submitted.preventDefault();
    sessionStorage.setItem('token', byId('token').value.trim());
    byId('token').value = '';
  };
  stayConnected();
})();
