// The form that lets a run continue: made of what the server says may be given.

import {html, nothing} from './lit-html.js';
import {live} from './directives/live.js';
import {capital} from './text.js';
import {actionLabel, fieldLabel} from './labels.js';
import {bodyOf, commandOf, emptyForm, fieldsOf, offered, problemsOf, unanswered} from './resume.js';
import {command, duration, money} from './format.js';
import {learn} from './store.js';
import {post, runPath} from './api.js';
import {copied} from './dialogs.js';

/** Where an answer begins; a choice of needs is made already. */
export const FIRST_FIELD = '.ask textarea, #decide textarea, #decide input:not([type=radio])';

export const formOf = (page, runId) => {
  if (!page.forms.has(runId)) page.forms.set(runId, emptyForm());
  return page.forms.get(runId);
};

export const questionsOf = run => run.pause?.questions ?? [];

const change = (page, form, work) => {
  work(form);
  form.problem = null;
  page.changed();
};

/** Marks what is wrong and puts the focus there; answers whether nothing is. */
const isComplete = (page, run, explain, form) => {
  form.problems = problemsOf(explain, questionsOf(run), form);
  const [first] = form.problems.keys();
  if (first === undefined) return true;
  form.preview = null;
  page.changed();
  focusOn(first === 'feedback' ? 'feedback' : idOf(first));
  return false;
};

/** After the paint that shows it: a limit may lie in a part that is folded. */
const focusOn = id => requestAnimationFrame(() => requestAnimationFrame(() => {
  const field = document.getElementById(id);
  field?.closest('details')?.setAttribute('open', '');
  field?.focus();
}));

/** Its buttons stay where a keyboard is: those that a page disables lose it. */
const preview = async (page, run, explain, form) => {
  if (form.busy || !isComplete(page, run, explain, form)) return;
  const body = bodyOf(explain, questionsOf(run), form);
  form.busy = true;
  form.problem = null;
  page.changed();
  try {
    form.preview = await post(runPath(run.runId, 'resume'), {...body, dryRun: true});
    form.previewed = JSON.stringify(body);
  } catch (refused) {
    form.preview = null;
    form.problem = refused.message + (refused.problem?.missing ? ': ' + refused.problem.missing.join('; ') : '');
  }
  form.busy = false;
  page.changed();
};

/** Whether a person wants to send it as it is. */
const isMeant = async (page, run, explain, form, action) => {
  if (action === 'stop_loop_now') {
    return page.confirm({title: 'Stop this run?', text: explain.effects?.stop_loop_now ?? 'The run ends here.', yes: 'Stop the run'});
  }
  const open = unanswered(questionsOf(run), form);
  if (open < 0) return true;
  const sends = await page.confirm({title: 'Question ' + (open + 1) + ' has no answer', text: questionsOf(run)[open], yes: 'Send without it'});
  if (!sends) focusOn('answer-' + open);
  return sends;
};

/** Never without a dry run of just this before. */
const send = async (page, run, explain, form) => {
  if (form.busy || !isComplete(page, run, explain, form)) return;
  const body = bodyOf(explain, questionsOf(run), form);
  if (!await isMeant(page, run, explain, form, body.action)) return;
  if (form.previewed !== JSON.stringify(body)) await preview(page, run, explain, form);
  if (form.problem || form.preview?.allowed === false) return;
  form.busy = true;
  page.changed();
  try {
    learn(page.store, await post(runPath(run.runId, 'resume'), body));
    page.forms.delete(run.runId);
    page.focus = '.run-head h1';
    page.announce(run.name + ': sent');
  } catch (refused) {
    form.problem = refused.message + (refused.problem?.missing ? ': ' + refused.problem.missing.join('; ') : '');
  }
  form.busy = false;
  page.changed();
};

const idOf = name => 'field-' + name.replaceAll('.', '-');

const problemLine = (form, name, id) => form.problems.has(name)
  ? html`<p class="problem" id="${id}-problem" role="alert">${form.problems.get(name)}</p>` : nothing;

/** " Now $2.00. At least $2.44." */
const boundsOf = field => {
  const shown = number => field.field === 'budget.costUsd' ? money(number)
    : field.type === 'duration' ? duration(number) : number;
  return (field.present === undefined ? '' : ' Now ' + shown(field.present) + '.')
    + (field.minimum === undefined ? '' : ' At least ' + shown(field.minimum) + '.');
};

const input = (page, form, field, required) => {
  const id = idOf(field.field);
  const value = offered(form, field, required);
  const set = given => change(page, form, it => {
    it.values[field.field] = given;
    it.problems.delete(field.field);
  });
  const wrong = form.problems.has(field.field);
  const hint = capital(field.text) + '.' + boundsOf(field);
  const label = fieldLabel(field.field);
  if (field.type === 'boolean') {
    return html`<div class="field"><label class="tick" title=${field.field}><input type="checkbox" id=${id} .checked=${live(Boolean(value))}
      @change=${event => set(event.target.checked)}> <span><b>${label}</b> ${hint}</span></label>${problemLine(form, field.field, id)}</div>`;
  }
  if (field.type === 'list') {
    const chosen = value ?? [];
    return html`<fieldset class="field" title=${field.field}><legend>${label}</legend>
      ${(field.choices ?? []).map((choice, index) => html`<label class="tick"><input type="checkbox" id=${index ? nothing : id}
        .checked=${live(chosen.includes(choice))}
        @change=${event => set(event.target.checked ? [...chosen, choice] : chosen.filter(each => each !== choice))}>
        <span>${choice}</span></label>`)}${problemLine(form, field.field, id)}</fieldset>`;
  }
  if (field.type === 'choice') {
    return html`<div class="field"><label for=${id} title=${field.field}>${label}</label>
      <select id=${id} .value=${live(value ?? '')} @change=${event => set(event.target.value)}>
      <option value="">no</option>${(field.choices ?? []).map(choice => html`<option value=${choice}>${choice}</option>`)}
      </select><p class="hint">${hint}</p>${problemLine(form, field.field, id)}</div>`;
  }
  const number = field.type === 'integer' || field.type === 'number';
  return html`<div class="field"><label for=${id} title=${field.field}>${label}</label>
    <input id=${id} class=${number ? 'short' : ''} type=${number ? 'number' : 'text'} step=${field.type === 'number' ? 'any' : '1'}
      aria-describedby="${id}-hint ${wrong ? id + '-problem' : ''}" aria-invalid=${wrong ? 'true' : 'false'}
      .value=${live(String(value ?? ''))} @input=${event => set(event.target.value)}>
    <p class="hint" id="${id}-hint">${hint}</p>${problemLine(form, field.field, id)}</div>`;
};

const need = (page, form, {all, field}) => html`<div class="need">
  ${all.length > 1 ? html`<fieldset class="alternatives"><legend>What a resume needs</legend>${all.map(each => html`
    <label class="tick"><input type="radio" name="need-${all[0].field}" .checked=${live(each.field === field.field)}
      @change=${() => change(page, form, it => { it.picked[all[0].field] = each.field; })}>
      <span title=${each.field}>${fieldLabel(each.field)}</span></label>`)}</fieldset>` : nothing}
  ${field.field === 'feedback' ? html`<p class="hint">${capital(field.text)}: write it below.</p>${problemLine(form, 'feedback', 'feedback')}`
    : input(page, form, field, true)}</div>`;

const answers = (page, run, form) => questionsOf(run).map((question, index) => html`<div class="field question">
  <label for="answer-${index}"><span class="number">Question ${index + 1}</span> <bdi>${question}</bdi></label>
  <textarea id="answer-${index}" rows="2" .value=${live(form.answers[index] ?? '')}
    @input=${event => change(page, form, it => { it.answers[index] = event.target.value; })}></textarea></div>`);

const outcome = form => html`
  ${form.problem ? html`<p class="problem" role="alert">${form.problem}</p>` : nothing}
  ${form.preview ? html`<div class="preview ${form.preview.allowed ? 'good' : 'bad'}" role="status">
    <p><b>${form.preview.allowed ? capital(form.preview.next || 'the run continues') + '.' : 'This resume would be refused.'}</b></p>
    ${[['missing', 'Missing'], ['kept', 'Keeps'], ['redone', 'Runs again']].map(([part, title]) => form.preview[part]?.length
      ? html`<p>${title}: ${form.preview[part].join('; ')}</p>` : nothing)}</div>` : nothing}`;

/** The button says what it does. */
const primaryLabel = (run, action) => questionsOf(run).length && action === 'continue' ? 'Send answers and continue' : actionLabel(action);

export const resumeForm = (page, run, explain) => {
  const filled = formOf(page, run.runId);
  const {action, needs, besides} = fieldsOf(explain, filled);
  const body = bodyOf(explain, questionsOf(run), filled);
  const line = command(page, commandOf(run.runId, body));
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
    ${needs.map(each => need(page, filled, each))}
    <div class="field"><label for="feedback">${fieldLabel('feedback')}${needs.some(each => each.field.field === 'feedback') ? '' : ' (optional)'}</label>
      <textarea id="feedback" rows="2" .value=${live(filled.feedback)}
        @input=${event => change(page, filled, it => {
          it.feedback = event.target.value;
          it.problems.delete('feedback');
        })}></textarea></div>
    ${explain.allowedActions.length === 1 ? html`<p class="hint">Next: ${explain.effects?.[action] ?? 'it continues'}.</p>`
      : html`<fieldset class="actions"><legend>What next</legend>${explain.allowedActions.map(each => html`
      <label class="tick"><input type="radio" name="action" value=${each} .checked=${live(each === action)}
        @change=${() => change(page, filled, it => { it.action = each; })}>
        <span title=${each}><b>${actionLabel(each)}</b> ${explain.effects?.[each] ?? ''}</span></label>`)}</fieldset>`}
    ${besides.length ? html`<details class="more"><summary>More: limits and exceptions</summary>
      ${besides.map(field => input(page, filled, field, false))}</details>` : nothing}
    ${outcome(filled)}
    <p class="buttons submit"><button type="button" id="preview" aria-disabled=${filled.busy ? 'true' : 'false'}
      @click=${() => preview(page, run, explain, filled)}>Preview</button>
    <button class="main" id="send" aria-disabled=${filled.busy ? 'true' : 'false'}>${primaryLabel(run, action)}</button>
    <span class="hint">Ctrl+Enter sends</span></p>
    <details class="more"><summary>The same at a terminal</summary>
      <p><code>${line}</code> <button type="button" @click=${() => copied(page, line)}>Copy</button></p></details>
  </form>`;
};
