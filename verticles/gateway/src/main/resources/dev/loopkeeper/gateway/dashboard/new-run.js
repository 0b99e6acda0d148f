// A new run: its manifest is checked while it is written.

import {html, nothing} from './lit-html.js';
import {live} from './directives/live.js';
import {post} from './api.js';
import {command, shell} from './format.js';
import {toRun} from './routes.js';
import {learn} from './store.js';

const QUIET = 400;
/** Needs nothing but a shell and writes no file. */
const EXAMPLE = `name: hello
agents:
  dev: {command: 'echo "hello, $LOOPKEEPER_ITERATION of 3"'}
phases:
  - name: greet
    loop: {steps: [dev], maxIterations: 5, until: {output: 3 of 3}}
`;

const vars = text => {
  const found = {};
  for (const line of text.split('\n')) {
    const at = line.indexOf('=');
    if (at > 0) found[line.slice(0, at).trim()] = line.slice(at + 1).trim();
  }
  return found;
};

const body = draft => ({
  manifest: draft.manifest,
  ...draft.workspace.trim() ? {workspace: draft.workspace.trim()} : {},
});

/** The same for a person at a terminal. */
const commandOf = draft => ['submit MANIFEST',
  ...draft.workspace.trim() ? ['--workspace ' + shell(draft.workspace.trim())] : [],
  ...Object.entries(vars(draft.vars)).map(([name, value]) => '--var ' + shell(name + '=' + value)),
  ...draft.hold ? ['--hold'] : []].join(' ');

const check = async (page, draft) => {
  const checked = draft.manifest;
  const mine = ++draft.checks;
  if (!checked.trim()) {
    draft.result = null;
    page.changed();
    return;
  }
  try {
    const result = await post('/manifests/check', body(draft));
    if (mine === draft.checks) {
      draft.result = result;
      draft.problem = null;
    }
  } catch (refused) {
    if (mine === draft.checks) draft.problem = refused.message;
  }
  page.changed();
};

const later = (page, draft) => {
  clearTimeout(draft.timer);
  draft.timer = setTimeout(() => check(page, draft), QUIET);
};

const start = async (page, draft) => {
  const given = vars(draft.vars);
  const run = await post('/runs', {...body(draft), ...Object.keys(given).length ? {vars: given} : {},
    ...draft.hold ? {start: false} : {}});
  learn(page.store, run);
  location.hash = toRun(run.runId);
};

const submit = async (page, draft) => {
  if (draft.busy) return;
  draft.busy = true;
  page.changed();
  try {
    await start(page, draft);
    page.draft = null;
  } catch (refused) {
    draft.problem = refused.message;
    if (refused.problem?.errors) draft.result = {errors: refused.problem.errors, warnings: []};
    document.activeElement.blur(); // also out of a field: the reason may stand below the edge
    page.focus = '#refused';
  }
  draft.busy = false;
  page.changed();
};

const toLine = line => {
  const field = document.getElementById('manifest');
  const lines = field.value.split('\n');
  const begin = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  field.focus();
  field.setSelectionRange(begin, begin + (lines[line - 1]?.length ?? 0));
};

const finding = (kind, each) => html`<li class=${kind}><b>${kind === 'bad' ? 'error' : 'warning'}</b>
  ${each.line ? html`<button type="button" class="plain" @click=${() => toLine(each.line)}>line ${each.line}</button>` : nothing}
  <code>${each.path}</code> ${each.message}${each.suggestion ? ', did you mean ' + each.suggestion + '?' : ''}</li>`;

const emptyDraft = () => ({manifest: '', workspace: '', vars: '', hold: false, checks: 0, result: null, problem: null});

/** Starts a manifest that needs nothing, in a folder that the server allows. Where the server refuses it, the form shows why. */
export const runExample = page => {
  page.draft = {...emptyDraft(), manifest: EXAMPLE, workspace: page.session?.limits.workspaces[0] ?? ''};
  submit(page, page.draft).then(() => {
    if (page.draft?.problem) location.hash = '#/new';
  });
};

export const newRunView = page => {
  page.draft ??= emptyDraft();
  const draft = page.draft;
  const set = (name, value) => {
    draft[name] = value;
    page.changed();
    later(page, draft);
  };
  const errors = draft.result?.errors ?? [];
  const warnings = draft.result?.warnings ?? [];
  return html`<h1>New run</h1>
    ${page.canControl() ? nothing : html`<p class="problem">Your token has the scope read: it cannot start runs.</p>`}
    <form id="new-run" class="card" @submit=${event => {
      event.preventDefault();
      submit(page, draft);
    }}>
    <div class="field"><label for="manifest">Manifest (YAML or JSON)</label>
      <textarea id="manifest" rows="16" spellcheck="false" placeholder=${EXAMPLE} .value=${live(draft.manifest)}
        @input=${event => set('manifest', event.target.value)}></textarea></div>
    <div class="field"><label for="file">or a file on this computer</label>
      <input id="file" type="file" accept=".yaml,.yml,.json" @change=${async event => {
        const file = event.target.files[0];
        if (file) set('manifest', await file.text());
      }}></div>
    <div class="field"><label for="workspace">Workspace: a folder on the server's machine (optional)</label>
      <input id="workspace" .value=${live(draft.workspace)} @input=${event => set('workspace', event.target.value)}></div>
    <div class="field"><label for="vars">Variables, one <code>name=value</code> in a line (optional)</label>
      <textarea id="vars" rows="2" .value=${live(draft.vars)} @input=${event => set('vars', event.target.value)}></textarea></div>
    <label class="tick"><input type="checkbox" id="hold" .checked=${live(draft.hold)}
      @change=${event => set('hold', event.target.checked)}> <span>Hold the run: do not start yet</span></label>
    <div id="check" role="status">${draft.result ? errors.length ? html`<p class="bad">The manifest has
        ${errors.length === 1 ? 'an error' : errors.length + ' errors'}.</p>`
      : html`<p class="good">The manifest is valid${warnings.length ? ', with warnings' : ''}.</p>` : nothing}
      <ul class="findings">${errors.map(each => finding('bad', each))}${warnings.map(each => finding('slow', each))}</ul></div>
    <p class="hint">At a terminal: <code>${command(page, commandOf(draft))}</code></p>
    ${draft.problem ? html`<p class="problem" id="refused" role="alert" tabindex="-1">${draft.problem}</p>` : nothing}
    <p class="buttons"><button class="main" id="start" aria-disabled=${draft.busy ? 'true' : 'false'}
      ?disabled=${!draft.manifest.trim() || errors.length > 0}>
      ${draft.hold ? 'Submit' : 'Start'}</button></p></form>`;
};
