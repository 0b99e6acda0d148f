// The dialog that merges a run's branch: it says first what it would do.

import {html, nothing} from './lit-html.js';
import {post, runPath} from './api.js';
import {open} from './dialogs.js';
import {command, counted} from './format.js';

const said = ({into, already, conflicts, changes, commit}) => {
  if (already) return html`<b>${into}</b> already contains the changes of this run.`;
  if (conflicts.length) return html`The run cannot be merged into <b>${into}</b>, which is unchanged. These files conflict: ${conflicts.join(', ')}.`;
  return html`${commit ? 'Merged into' : 'Will be merged into'} <b>${into}</b>: ${counted(changes.files, 'file')},
    <span class="good">+${changes.insertions}</span> <span class="bad">−${changes.deletions}</span>.`;
};

const isPossible = plan => plan && !plan.already && !plan.conflicts.length && !plan.commit;

export const mergeDialog = async (page, run) => {
  const details = page.details.get(run.runId);
  const state = {plan: null, problem: null, busy: true};
  const ask = async dryRun => {
    state.busy = true;
    dialog.paint();
    try {
      state.plan = await post(runPath(run.runId, 'merge'), {dryRun});
      state.problem = null;
      if (state.plan.already || state.plan.commit) details.merged = state.plan.into;
    } catch (refused) {
      state.problem = refused.message;
    }
    state.busy = false;
    dialog.paint();
    page.changed();
  };
  const dialog = open(page, close => html`<h2 id="dialog-title">Merge ${run.name}</h2>
    <p class="hint path">${run.git.branch}</p>
    <div role="status" id="merge-plan">${state.plan ? html`<p>${said(state.plan)}</p>` : state.problem ? nothing : html`<p>Checking …</p>`}
      ${state.problem ? html`<p class="problem">${state.problem}</p>` : nothing}</div>
    <p class="hint">The same at a terminal: <code>${command(page, 'merge ' + run.runId)}</code></p>
    <p class="buttons"><button id="cancel" autofocus @click=${close}>${isPossible(state.plan) ? 'Cancel' : 'Close'}</button>
      ${isPossible(state.plan) ? html`<button class="main" id="confirm-merge" aria-disabled=${state.busy ? 'true' : 'false'}
        @click=${() => state.busy || ask(false)}>Merge into ${state.plan.into}</button>` : nothing}</p>`);
  await ask(true);
};
