// Why a run is where it is, and what comes of it.

import {html, nothing} from './lit-html.js';
import {ago, waitsFor} from './format.js';
import {questionsOf, resumeForm} from './form.js';
import {reasonWords} from './labels.js';
import {outcome} from './outcome.js';
import {hasEnded} from './fold.js';
import {toStep} from './routes.js';
import {stepOfFailedItem} from './steps.js';
import {apart, capital, words} from './text.js';

/** What is known of an error beside its words. */
const kindOf = ({category, kind}) => category === 'unknown' ? [] : [words(category), kind && words(kind)];

/** The last line of an error is part of the message above; the log has the lines before it. */
const lastLine = text => text.trim().split('\n').at(-1).trim();

/** Without a form its questions stand here; what an agent said only where the message above lacks it. */
const facts = (run, items, asked, message) => {
  const pause = run.pause ?? {};
  const stepId = pause.stepId ?? stepOfFailedItem(run, items) ?? run.last?.stepId;
  const said = words => words && !message?.includes(words) ? words : null;
  const error = pause.errorContext ?? run.termination?.errorContext;
  const rows = [
    ...(asked ? [] : questionsOf(run).map((question, index) => ['question ' + (index + 1), question])),
    ['concern', said(pause.keyConcern)], ['anomaly', said(pause.anomalyType)], ['gaps', pause.gaps?.map(apart).join('; ')],
    ['log of step', stepId && html`<a href=${toStep(run.runId, stepId)}>${stepId}</a>`], ['refused value', pause.refusedValue],
    ['error', error && [...kindOf(error), said(lastLine(error.message)) && apart(error.message)].filter(Boolean).join(', ')],
  ].filter(([, text]) => text);
  return rows.length ? html`<dl class="facts">${rows.map(([name, text]) =>
    html`<dt>${name}</dt><dd dir="auto">${text}</dd>`)}</dl>` : nothing;
};

/** The codes of an ending, for a search in the documentation. */
const codesOf = ({pause, termination}) => [pause?.reason, pause?.detail, termination?.subtype, ...termination?.alsoTriggered ?? []]
  .filter(Boolean).join(', ');

const headline = (run, now) => {
  if (run.status === 'paused') return 'Paused ' + ago(run.pause?.since, now) + ': ' + reasonWords(run.pause?.reason)
    + (run.pause?.detail ? ' (' + words(run.pause.detail) + ')' : '');
  if (run.status === 'queued') return 'Queued';
  if (run.status === 'running') return 'A pause is requested';
  if (run.status === 'waiting') return 'Waiting: ' + waitsFor(run, now);
  const reason = run.termination?.reasonCode ? reasonWords(run.termination.reasonCode) : '';
  const when = ' ' + ago(run.endedAt, now);
  return reason.startsWith(run.status) ? capital(reason) + when : capital(run.status) + when + (reason && ': ' + reason);
};

/** Nothing while it just runs. */
export const whyCard = (page, run, details) => {
  if (run.status === 'completed') return outcome(page, run, details);
  const explain = details.explain;
  const current = explain && explain.status === run.status ? explain : null;
  const pauses = run.status === 'running' && current?.pause;
  if (!hasEnded(run) && !pauses && !['queued', 'waiting', 'paused'].includes(run.status)) return nothing;
  const fillable = current?.allowedActions?.length && page.canControl();
  // With questions the message only repeats the first one.
  const text = questionsOf(run).length ? null
    : run.pause?.message ?? run.termination?.summary ?? (run.waiting ? 'The run continues automatically then.' : current?.summary);
  const title = headline(run, page.now);
  return html`<section class="card why ${run.status}" aria-label="Why it is here">
    <h2 title=${codesOf(run)}>${title}</h2>
    ${text && !title.toLowerCase().startsWith(text.toLowerCase()) ? html`<p class="message" dir="auto">${text}</p>` : nothing}
    ${current?.advice ? html`<p class="advice">${current.advice}</p>` : nothing}
    ${facts(run, details.items, fillable, text)}
    ${!current?.allowedActions?.length ? nothing : fillable ? resumeForm(page, run, current)
      : html`<p class="hint">Your token has the scope read: it can view this run, not change it.</p>`}
  </section>`;
};
