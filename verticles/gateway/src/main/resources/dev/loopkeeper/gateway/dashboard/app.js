// The page: its state, which view is shown, and what connects its parts.

import {html, nothing, render} from './lit-html.js';
import {get, runPath, signOut} from './api.js';
import {readAgain} from './attention.js';
import {now} from './clock.js';
import {Details} from './details.js';
import {closeDialog, confirm} from './dialogs.js';
import {loadDiff} from './diff.js';
import {follow} from './feed.js';
import {FIRST_FIELD} from './form.js';
import {signInView, top} from './frame.js';
import {isField, listen} from './keys.js';
import {relist} from './lists.js';
import {LogView} from './log.js';
import {newRunView} from './new-run.js';
import {Painter} from './painter.js';
import {freshPolicy, lookAtPolicy, openPolicy, policyView} from './policy-view.js';
import {processesChanged, processesView} from './processes-view.js';
import {Requests} from './requests.js';
import {parse} from './routes.js';
import {runView} from './run-view.js';
import {runsView} from './runs-view.js';
import {chosenStep} from './steps.js';
import {learn, newStore} from './store.js';
import {Updates} from './updates.js';

const THEME = 'loopkeeper.theme';
const REFRESH_EVERY = 1000;

/** How one run is viewed; the next one begins with it. */
const ONE_RUN = {logMode: 'readable', zoom: 'all', kindOfEvents: 'all'};

const page = {
  store: newStore(),
  route: parse(location.hash),
  connection: {state: 'connecting', since: now(), text: ''},
  session: null,
  now: now(),
  details: new Map(),
  forms: new Map(),
  more: new Set(),
  rows: new Map(),
  visible: new Set(),
  waiting: 0,
  older: false,
  today: null,
  policy: freshPolicy(),
  olderCursor: null,
  problem: null,
  missing: null,
  notice: null,
  updated: false,
  focus: null,
  answering: false,
  log: null,
  ...ONE_RUN,
  draft: null,
  canControl: () => !page.session?.scopes || page.session.scopes.includes('control'),
  changed: () => page.painter.request(true),
  changedByEvent: () => page.painter.request(false),
  confirm: question => confirm(page, question),
  announce: text => { document.getElementById('announce').textContent = text; },
  replace: hash => {
    history.replaceState(null, '', hash);
    routed();
  },
  setLogMode: mode => {
    page.logMode = mode;
    page.changed();
  },
  grow: (name, many, step) => page.painter.grow(name, many, step),
  loadOlder: () => page.requests.loadOlder(),
  retry: () => connection.retry(),
  leave: () => leave(),
  loadSession: () => loadSession(),
  openRun: runId => openRun(runId),
  reloadRun: () => reloadRun(),
  switchTheme: () => switchTheme(),
  relist: () => {
    relist(page.store);
    page.updates.settle();
    page.changed();
  },
};

// Painting

const content = () => {
  if (page.connection.state === 'signIn') return signInView(page);
  if (page.route.view === 'new') return newRunView(page);
  if (page.route.view === 'processes') return processesView(page);
  if (page.route.view === 'policy') return policyView(page);
  if (page.route.view !== 'run') return runsView(page);
  const run = page.store.runs.get(page.route.runId);
  const details = page.details.get(page.route.runId);
  if (run && run.status !== 'unknown' && details && !details.gone) return runView(page, run, details);
  const missing = details?.gone ? html`<h1>There is no run ${page.route.runId}</h1>
    <p>The run was removed, or this link belongs to another server. <code>loopkeeper prune</code> removes runs that have ended long ago.</p>`
    : page.missing;
  return html`<p><a href="#/">← All runs</a></p><div class="empty">${missing ?? 'Loading …'}</div>`;
};

const paint = () => {
  // What is shown is as old as the last news of the server.
  page.now = page.connection.state === 'lost' ? page.connection.since : now();
  const before = document.activeElement;
  render(html`${page.connection.state === 'signIn' ? nothing : top(page)}<main id="main" tabindex="-1">${content()}</main>`, document.getElementById('app'));
  attachLog();
  page.requests.loadVerdicts();
  if (before?.isConnected === false) page.focus ??= '#main';
  moveFocus();
};

/** To what a new view or an action wants, once it is there; not away from a field. */
const moveFocus = () => {
  const wanted = page.focus && document.querySelector(page.focus);
  if (!wanted) return;
  if (!isField(document.activeElement)) wanted.focus({preventScroll: page.focus === '#main'});
  page.focus = null;
};

const closeLog = () => {
  page.log?.stop();
  page.log = null;
};

/** The log paints its own lines, since lines are only ever added to it. */
const attachLog = () => {
  const element = document.getElementById('log');
  const {route} = page;
  const details = page.details.get(route.runId);
  const stepId = element && details ? chosenStep(route, details, page.store.runs.get(route.runId)) : null;
  const key = stepId ? route.runId + ' ' + stepId + ' ' + page.logMode : null;
  if (page.log && page.log.key !== key) closeLog();
  if (!key) return;
  if (!page.log) {
    page.log = new LogView(route.runId, stepId, page.logMode, route.line,
      () => details.steps.get(stepId)?.status !== 'running', () => Date.parse(details.steps.get(stepId)?.startedAt));
    page.log.onFollow = page.changed;
    page.log.onUnreachable = () => noteUnreachable(route.runId);
    page.log.find(document.getElementById('find').value);
    page.changed();
  }
  page.log.attach(element, offset => '#/runs/' + encodeURIComponent(route.runId) + '/steps/' + encodeURIComponent(stepId) + '?line=' + offset);
};

/** A log on a lost node cannot be read; no event says so, but the run object does. */
const noteUnreachable = runId => {
  const run = page.store.runs.get(runId);
  if (!run || run.waitsFor) return;
  page.store.unsure.add(runId);
  page.requests.refresh();
};

// Routes

const ABOVE_FOLD = 0.7;

/** Scrolls to the part of the run that a link opens, where it is out of view. */
const reveal = selector => requestAnimationFrame(() => requestAnimationFrame(() => {
  const part = document.querySelector(selector);
  const at = part?.getBoundingClientRect().top;
  if (at < 0 || at > window.innerHeight * ABOVE_FOLD) part.scrollIntoView();
}));

const routed = () => {
  const before = page.route;
  page.route = parse(location.hash);
  const {view, runId, tab, stepId, line, q, status} = page.route;
  if (before.view !== view || before.runId !== runId || before.tab !== tab) page.painter.startOver();
  if (before.view !== view || before.runId !== runId) page.focus = page.answering ? FIRST_FIELD : '#main';
  page.answering = false;
  if (before.runId !== runId) Object.assign(page, ONE_RUN);
  closeDialog();
  page.problem = null;
  page.missing = null;
  if (q !== before.q) page.requests.search();
  if (status !== before.status) page.requests.statusChosen();
  if (view === 'processes') processesChanged(page, 'snapshot');
  if (view === 'policy') openPolicy(page);
  if (before.line !== line) closeLog();
  if (runId && before.runId === runId && before.tab !== tab) reveal('.tabs');
  if (runId && before.runId === runId && before.stepId !== stepId && stepId) reveal('.log-pane');
  if (runId && (before.runId !== runId || !page.details.has(runId))) openRun(runId);
  else if (runId) loadTab(page.details.get(runId), tab);
  page.updates.count();
  page.changed();
};

const openRun = async runId => {
  page.details.clear();
  const details = new Details(runId, page.changed);
  page.details.set(runId, details);
  loadTab(details, page.route.tab);
  try {
    learn(page.store, await get(runPath(runId)));
    await details.load(page.store.runs.get(runId));
  } catch (refused) {
    if (refused.status === 404) details.gone = true;
    else page.missing = refused.message;
  }
  page.updates.count();
  page.changed();
};

const loadTab = (details, tab) => {
  if (tab === 'processes') {
    details.loadProcesses();
    details.loadReceipts();
  }
  if (tab === 'manifest' || tab === 'cost') details.loadManifest();
  if (tab === 'diff') loadDiff(details, details.diff?.stepId ?? null, page.changed);
};

const reloadRun = () => {
  const {runId, tab} = page.route;
  const details = page.details.get(runId);
  if (!details) return;
  details.load(page.store.runs.get(runId));
  loadTab(details, tab);
};

// The person

const loadSession = async () => {
  page.session = await get('/session').catch(() => null);
  page.changed();
};

const leave = () => {
  signOut();
  page.session = null;
  page.store = newStore();
  page.details.clear();
  page.forms.clear();
  page.requests.forgetVerdicts();
  page.updates.forget();
  page.older = false;
  page.policy = freshPolicy();
  page.draft = page.processes = page.olderCursor = page.notice = null;
  connection.drop();
  page.updates.settle();
  page.changed();
};

const switchTheme = () => {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = dark ? 'light' : 'dark';
  localStorage.setItem(THEME, document.documentElement.dataset.theme);
};

const theme = localStorage.getItem(THEME);
if (theme) document.documentElement.dataset.theme = theme;
page.painter = new Painter(paint);
page.requests = new Requests(page);
page.updates = new Updates(page);
window.addEventListener('hashchange', routed);
window.addEventListener('storage', ({key}) => {
  if (readAgain(key)) page.relist();
});
listen(page);
page.painter.paintNow();
if (page.route.runId) openRun(page.route.runId);
const connection = follow({
  cursor: () => page.store.cursor,
  message: one => page.updates.message(one),
  batch: () => {
    page.updates.settle();
    page.changedByEvent();
  },
  state: (state, text, silentFor) => page.updates.connected(state, text, silentFor),
});
// After a laptop wakes up the connection may be dead without a close.
window.addEventListener('online', () => connection.look());
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) connection.look();
});
setInterval(() => {
  page.requests.refresh();
  page.requests.loadVerdicts();
  lookAtPolicy(page);
  if (!document.hidden) page.changedByEvent();
}, REFRESH_EVERY);
