// What a run with a worktree of its own has changed, or one step of it.

import {html, nothing} from './lit-html.js';
import {repeat} from './directives/repeat.js';
import {BASE, ask, get, runPath, token} from './api.js';
import {command} from './format.js';

const MOST_LINES = 2000;

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/**
 * The files of a unified diff with their lines: {path, lines: [{kind, text, before, after}], insertions, deletions}; before and
 * after are the numbers of the line in the two versions. Pure.
 */
export const filesOf = text => {
  const files = [];
  let file = null;
  let inHunk = false;
  let before = 0;
  let after = 0;
  for (const line of (text ?? '').split('\n')) {
    if (line.startsWith('diff --git ')) {
      file = {path: line.replace(/^diff --git .* "?b\//, '').replace(/"$/, ''), lines: [], insertions: 0, deletions: 0};
      files.push(file);
      inHunk = false;
    }
    if (!file) continue;
    const hunk = HUNK.exec(line);
    if (line.startsWith('@@')) inHunk = true;
    if (hunk) [before, after] = [Number(hunk[1]), Number(hunk[2])];
    const kind = line.startsWith('@@') ? 'hunk' : !inHunk ? 'head' : line.startsWith('+') ? 'plus'
      : line.startsWith('-') ? 'minus' : 'same';
    if (kind === 'plus') file.insertions++;
    if (kind === 'minus') file.deletions++;
    const numbered = kind === 'plus' || kind === 'minus' || kind === 'same' && !line.startsWith('\\');
    file.lines.push({kind, text: line, before: numbered && kind !== 'plus' ? before++ : null, after: numbered && kind !== 'minus' ? after++ : null});
  }
  for (const each of files) if (each.lines.at(-1)?.text === '') each.lines.pop();
  return files;
};

export const loadDiff = async (details, stepId, changed) => {
  const path = stepId ? runPath(details.runId, 'steps', stepId, 'diff') : runPath(details.runId, 'diff');
  const before = details.diff;
  const mine = before?.stepId === stepId ? before : {stepId, text: null, files: null, problem: null};
  details.diff = mine;
  mine.problem = null;
  try {
    const answer = await get(path);
    mine.text = answer.diff ?? '';
    mine.whole = answer.whole ?? null;
    mine.files = answer.files ?? null;
  } catch (refused) {
    mine.problem = refused.message;
  }
  changed();
};

/** A link carries no token: with one the whole is fetched, and then saved. */
const save = (state, runId, changed) => async event => {
  if (!token()) return;
  event.preventDefault();
  try {
    const answer = await ask(state.whole.slice(BASE.length));
    if (!answer.ok) throw new Error('HTTP ' + answer.status);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await answer.blob());
    link.download = runId + '.diff';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  } catch (refused) {
    state.problem = 'The complete diff could not be downloaded: ' + refused.message;
    changed();
  }
};

const SIGNS = {plus: '+', minus: '−'};

const lineOf = ({kind, text, before, after}) => html`<div class="diff-line ${kind}"><span class="at" aria-hidden="true">${before ?? ''}</span><span
  class="at" aria-hidden="true">${after ?? ''}</span><span class="code">${SIGNS[kind] ? html`<span class="unseen">${
  kind === 'plus' ? 'added: ' : 'removed: '}</span>` : nothing}${text}</span></div>`;

const anchorOf = index => 'file-' + index;

/** The names of the files with their counts; each leads to its lines. */
const list = files => html`<nav aria-label="Changed files"><ul class="file-list">${files.map((file, index) => html`<li><a href="#" @click=${event => {
  event.preventDefault();
  const place = document.getElementById(anchorOf(index));
  place.open = true;
  place.scrollIntoView();
  place.querySelector('summary').focus();
}}>${file.path}</a> <span class="good">+${file.insertions}</span> <span class="bad">−${file.deletions}</span></li>`)}</ul></nav>`;

/** Lines that git writes for machines are left out: the name stands above. */
const shownOf = file => file.lines.filter(({kind, text}) => kind !== 'head' || !/^(diff --git|index|---|\+\+\+) /.test(text));

const fileOf = (file, index, lines) => html`<details class="file" id=${anchorOf(index)} open><summary><b>${file.path}</b>
  <span class="good">+${file.insertions}</span> <span class="bad">−${file.deletions}</span></summary>
  <div class="diff" tabindex="0" role="group" aria-label="Changes of ${file.path}">${shownOf(file).slice(0, lines).map(lineOf)}</div>
  ${file.lines.length > lines ? html`<p class="hint">${file.lines.length - lines} more lines are not shown.</p>` : nothing}</details>`;

export const diffTab = (page, run, details) => {
  const {git} = run;
  const state = details.diff;
  const again = stepId => () => loadDiff(details, stepId, page.changed);
  const steps = [...details.steps.values()].filter(step => step.endedAt).reverse().slice(0, 100);
  let linesLeft = MOST_LINES;
  const files = filesOf(state?.text);
  // Both are in the order of git; a name in the text may be read in more than one way, and a long text is cut.
  files.forEach((file, index) => {
    const counted = state.files?.[index] ?? {};
    for (const part of ['path', 'insertions', 'deletions']) file[part] = counted[part] ?? file[part];
  });
  const unseen = (state?.files ?? []).slice(files.length);
  return html`<section id="diff" aria-label="Changes"><h2>Changes</h2>
    <dl class="numbers"><div><dt>Branch</dt> <dd class="path">${git.branch}</dd></div>
      <div><dt>From</dt> <dd class="path">${git.base?.slice(0, 12) ?? '–'}</dd></div>
      <div><dt>To</dt> <dd class="path">${git.head?.slice(0, 12) ?? '–'}</dd></div>
      <div><dt>Files</dt> <dd>${git.files ?? '–'} <span class="good">+${git.insertions ?? 0}</span>
        <span class="bad">−${git.deletions ?? 0}</span></dd></div></dl>
    <div class="diff-bar"><label for="diff-of">Changes of</label> <select id="diff-of" @change=${event => again(event.target.value || null)()}>
      <option value="" ?selected=${!state?.stepId}>the whole run</option>${steps.map(step => html`<option value=${step.stepId}
        ?selected=${state?.stepId === step.stepId}>${step.stepId}</option>`)}</select>
      <button type="button" @click=${again(state?.stepId ?? null)}>Load again</button></div>
    ${state?.problem ? html`<p class="problem" role="alert">${state.problem}</p>` : nothing}
    ${!state || state.text === null ? state?.problem ? nothing : html`<p class="empty">Loading …</p>`
      : files.length ? [files.length > 1 ? list(files) : nothing, repeat(files, file => file.path, (file, index) => {
        const shown = fileOf(file, index, Math.max(0, linesLeft));
        linesLeft -= file.lines.length;
        return shown;
      })] : unseen.length ? nothing : html`<p class="empty">Nothing was changed.</p>`}
    ${unseen.length ? html`<ul class="findings">${unseen.slice(0, MOST_LINES).map(each => html`<li><b>${each.path}</b>
      ${each.binary ? 'binary' : html`<span class="good">+${each.insertions}</span> <span class="bad">−${each.deletions}</span>`}</li>`)}</ul>`
      : nothing}
    ${state?.whole ? html`<p class="hint">The rest is not shown. <a href=${state.whole} download=${run.runId + '.diff'}
      @click=${save(state, run.runId, page.changed)}>Save all changes</a></p>` : nothing}
    ${(git.kept ?? []).map(kept => html`<p class="hint">The worktree <span class="path">${kept.path}</span> stays: ${kept.reason}</p>`)}
    <p class="hint">At a terminal: <code>${command(page, 'diff ' + run.runId + (state?.stepId ? ' ' + state.stepId : ''))}</code>,
      and to merge: <code>${command(page, 'merge ' + run.runId)}</code></p></section>`;
};
