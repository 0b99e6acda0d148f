// Why a run is where it is, and the form that lets it go on: made of what the server says may be given.

import {html, nothing} from './lit-html.js';
import {live} from './directives/live.js';
import {ago, moment, waitsFor, words} from './format.js';
import {hasEnded} from './store.js';
import {bodyOf, commandOf, emptyForm, fieldsOf} from './resume.js';
import {learn} from './store.js';
import {post, runPath} from './api.js';
import {toStep} from './routes.js';
import {copied} from './dialogs.js';
import {apart} from './text.js';

export const formOf = (page, runId) => {
  if (!page.forms.has(runId)) page.forms.set(runId, emptyForm());
  return page.forms.get(runId);
};

const questionsOf = run => run.pause?.questions ?? [];

const change = (page, form, work) => {
  work(form);
  form.problem = null;
  page.changed();
};

const sent = body => JSON.stringify(body);

/** Its buttons stay where a keyboard is: those that a page disables lose it. */
const preview = async (page, run, explain, form) => {
  if (form.busy) return;
  const body = bodyOf(explain, questionsOf(run), form);
  form.busy = true;
  form.problem = null;
  page.changed();
  try {
    form.preview = await post(runPath(run.runId, 'resume'), {...body, dryRun: true});
    form.previewed = sent(body);
  } catch (refused) {
    form.preview = null;
    form.problem = refused.message + (refused.problem?.missing ? ': ' + refused.problem.missing.join('; ') : '');
  }
  form.busy = false;
  page.changed();
};

/** Never without a dry run of just this before. */
const send = async (page, run, explain, form) => {
  if (form.busy) return;
  const body = bodyOf(explain, questionsOf(run), form);
  if (body.action === 'stop_loop_now' && !await page.confirm({
    title: 'Stop this run?', text: explain.effects?.stop_loop_now ?? 'The run ends here.', yes: 'Stop the run'})) return;
  if (form.previewed !== sent(body)) await preview(page, run, explain, form);
  if (form.problem || form.preview?.allowed === false) return;
  form.busy = true;
  page.changed();
  try {
    learn(page.store, await post(runPath(run.runId, 'resume'), body));
    page.forms.delete(run.runId);
    page.announce(run.name + ': sent');
  } catch (refused) {
    form.problem = refused.message + (refused.problem?.missing ? ': ' + refused.problem.missing.join('; ') : '');
  }
  form.busy = false;
  page.changed();
};

const idOf = (run, name) => 'field-' + name.replaceAll('.', '-');

const input = (page, run, form, field, required) => {
  const id = idOf(run, field.field);
  const value = form.values[field.field];
  const set = given => change(page, form, it => { it.values[field.field] = given; });
  const present = field.present === undefined ? '' : ' now ' + field.present + '.';
  const least = field.minimum === undefined ? '' : ' At least ' + field.minimum + '.';
  const hint = field.text + '.' + present + least;
  if (field.type === 'boolean') {
    return html`<label class="tick"><input type="checkbox" id=${id} .checked=${live(Boolean(value))}
      @change=${event => set(event.target.checked)}> <span><b>${words(field.field)}</b> ${hint}</span></label>`;
  }
  if (field.type === 'list') {
    const chosen = value ?? [];
    return html`<fieldset class="field"><legend>${words(field.field)}: ${hint}</legend>
      ${(field.choices ?? []).map(choice => html`<label class="tick"><input type="checkbox"
        .checked=${live(chosen.includes(choice))}
        @change=${event => set(event.target.checked ? [...chosen, choice] : chosen.filter(each => each !== choice))}>
        <span>${choice}</span></label>`)}</fieldset>`;
  }
  if (field.type === 'choice') {
    return html`<div class="field"><label for=${id}>${words(field.field)}</label>
      <select id=${id} .value=${live(value ?? '')} @change=${event => set(event.target.value)}>
      <option value="">no</option>${(field.choices ?? []).map(choice => html`<option value=${choice}>${choice}</option>`)}
      </select><p class="hint">${hint}</p></div>`;
  }
  const number = field.type === 'integer' || field.type === 'number';
  return html`<div class="field"><label for=${id}>${words(field.field.replace('.', ' '))}${required ? ' (needed)' : ''}</label>
    <input id=${id} type=${number ? 'number' : 'text'} step=${field.type === 'number' ? 'any' : '1'}
      aria-describedby="${id}-hint" placeholder=${field.minimum ?? ''}
      .value=${live(value ?? '')} @input=${event => set(event.target.value)}>
    <p class="hint" id="${id}-hint">${hint}</p></div>`;
};

const need = (page, run, form, {all, field}) => html`<div class="need">
  ${all.length > 1 ? html`<fieldset class="alternatives"><legend>One of these is needed</legend>${all.map(each => html`
    <label class="tick"><input type="radio" name="need-${all[0].field}" .checked=${live(each.field === field.field)}
      @change=${() => change(page, form, it => { it.picked[all[0].field] = each.field; })}>
      <span>${words(each.field.replace('.', ' '))}</span></label>`)}</fieldset>` : nothing}
  ${field.field === 'feedback' ? html`<p class="hint">Feedback, below: ${field.text}.</p>`
    : input(page, run, form, field, true)}</div>`;

const answers = (page, run, form) => questionsOf(run).map((question, index) => html`<div class="field question">
  <label for="answer-${index}"><span class="number">Question ${index + 1}</span> <bdi>${question}</bdi></label>
  <textarea id="answer-${index}" rows="2" .value=${live(form.answers[index] ?? '')}
    @input=${event => change(page, form, it => { it.answers[index] = event.target.value; })}></textarea></div>`);

const outcome = form => html`
  ${form.problem ? html`<p class="problem" role="alert">${form.problem}</p>` : nothing}
  ${form.preview ? html`<div class="preview ${form.preview.allowed ? 'good' : 'bad'}" role="status">
    <p><b>${form.preview.allowed ? 'It would go on.' : 'It would be refused.'}</b> ${form.preview.why}</p>
    ${['missing', 'kept', 'redone'].map(part => form.preview[part]?.length
      ? html`<p>${part}: ${form.preview[part].join('; ')}</p>` : nothing)}</div>` : nothing}`;

const form = (page, run, explain) => {
  const filled = formOf(page, run.runId);
  const {action, needs, besides} = fieldsOf(explain, filled);
  const body = bodyOf(explain, questionsOf(run), filled);
  const command = commandOf(run.runId, body);
  return html`<form id="decide" @submit=${event => {
    event.preventDefault();
    send(page, run, explain, filled);
  }} @keydown=${event => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send(page, run, explain, filled);
    }
  }}>
    ${answers(page, run, filled)}
    ${needs.map(each => need(page, run, filled, each))}
    <div class="field"><label for="feedback">For the next step (optional)</label>
      <textarea id="feedback" rows="2" .value=${live(filled.feedback)}
        @input=${event => change(page, filled, it => { it.feedback = event.target.value; })}></textarea></div>
    <fieldset class="actions"><legend>What next</legend>${explain.allowedActions.map(each => html`
      <label class="tick"><input type="radio" name="action" value=${each} .checked=${live(each === action)}
        @change=${() => change(page, filled, it => { it.action = each; })}>
        <span><b>${words(each)}</b> ${explain.effects?.[each] ?? ''}</span></label>`)}</fieldset>
    ${besides.length ? html`<details class="more"><summary>More: limits and exceptions</summary>
      ${besides.map(field => input(page, run, filled, field, false))}</details>` : nothing}
    ${outcome(filled)}
    <p class="buttons"><button type="button" id="preview" aria-disabled=${filled.busy ? 'true' : 'false'}
      @click=${() => preview(page, run, explain, filled)}>Preview</button>
    <button class="main" id="send" aria-disabled=${filled.busy ? 'true' : 'false'}>Send and ${words(action)}</button>
    <span class="hint">Ctrl+Enter sends</span></p>
    <details class="more"><summary>The same at a terminal</summary>
      <p><code>${command}</code> <button type="button" @click=${() => copied(page, command)}>Copy</button></p></details>
  </form>`;
};

/** What the form asks is told here where there is none. */
const facts = (run, asked) => {
  const pause = run.pause ?? {};
  const error = pause.errorContext ?? run.termination?.errorContext;
  const rows = [
    ...(asked ? [] : questionsOf(run).map((question, index) => ['question ' + (index + 1), question])),
    ['concern', pause.keyConcern], ['anomaly', pause.anomalyType], ['gaps', pause.gaps?.map(apart).join('; ')],
    ['step', pause.stepId && html`<a href=${toStep(run.runId, pause.stepId)}>${pause.stepId}</a>`], ['refused value', pause.refusedValue],
    ['error', error && [words(error.category), error.kind && words(error.kind), apart(error.message)].filter(Boolean).join(', ')],
    ['ended as', run.termination && words(run.termination.subtype)],
    ['also', run.termination?.alsoTriggered?.map(words).join(', ')],
    ['exhaustion', run.terminalExhaustion && [words(run.terminalExhaustion.reasonCode), apart(run.terminalExhaustion.workUnit),
      apart(run.terminalExhaustion.qualifier), 'since ' + moment(run.terminalExhaustion.timestamp)].filter(Boolean).join(', ')],
  ].filter(([, text]) => text);
  return rows.length ? html`<dl class="facts">${rows.map(([name, text]) =>
    html`<dt>${name}</dt><dd dir="auto">${text}</dd>`)}</dl>` : nothing;
};

const headline = (run, now) => {
  if (run.status === 'paused') return 'Paused ' + ago(run.pause?.since, now) + ': ' + words(run.pause?.reason)
    + (run.pause?.detail ? ' (' + words(run.pause.detail) + ')' : '');
  if (run.status === 'waiting') return 'Waiting: ' + waitsFor(run, now);
  if (run.status === 'completed') return 'Completed';
  return (run.status === 'failed' ? 'Failed' : 'Stopped') + ' ' + ago(run.endedAt, now);
};

/** Nothing while it just runs. */
export const whyCard = (page, run, details) => {
  if (!hasEnded(run) && run.status !== 'waiting' && run.status !== 'paused') return nothing;
  const explain = details.explain;
  const current = explain && explain.status === run.status ? explain : null;
  const fillable = current?.allowedActions?.length && page.canControl();
  // With questions the message only repeats the first one.
  const text = questionsOf(run).length ? null
    : run.pause?.message ?? run.termination?.summary ?? (run.waiting ? 'It continues automatically then.' : current?.summary);
  return html`<section class="card why ${run.status}" aria-label="Why it is here">
    <h2>${headline(run, page.now)}</h2>
    ${text ? html`<p class="message" dir="auto">${text}</p>` : nothing}
    ${current?.advice ? html`<p class="advice">${current.advice}</p>` : nothing}
    ${facts(run, fillable)}
    ${!current?.allowedActions?.length ? nothing : fillable ? form(page, run, current)
      : html`<p class="hint">Your token may look, not act.</p>`}
  </section>`;
};
