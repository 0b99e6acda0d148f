// The page: one store, one paint for each frame in which something changed.

import {html, nothing, render} from './lit-html.js';
import {get, Refused, runPath, signOut} from './api.js';
import {badge} from './badge.js';
import {Details} from './details.js';
import {loadDiff} from './diff.js';
import {now} from './clock.js';
import {confirm} from './dialogs.js';
import {follow} from './feed.js';
import {duration, why} from './format.js';
import {listen} from './keys.js';
import {LogView} from './log.js';
import {newRunView} from './new-run.js';
import {processesHear, processesView} from './processes-view.js';
import {parse, toRun} from './routes.js';
import {runView} from './run-view.js';
import {runsView} from './runs-view.js';
import {chosenStep} from './steps.js';
import {apart} from './text.js';
import {signInView, top} from './frame.js';
import {forget, hasEnded, hasLoop, hear, isOpen, learn, newStore, relist, remember, spentSince} from './store.js';
import {needsPerson, readAgain} from './attention.js';

const LEAST_BETWEEN_PAINTS = 100;
const LEAST_BETWEEN_BUSY_PAINTS = 250;
const BUSY_EVENTS = 25;
const LOOK_AGAIN = 5000;
const MOST_LOOKS = 4;
const MOST_FIRST_LOOKS = 40;
const QUIET = 250;
const PAGE_OF_RUNS = 100;
const MOST_ENDED_TOLD = 50;
const VERDICTS_ASKED = 12;
const PATIENCE = 30_000;
const THEME = 'loopkeeper.theme';

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
  olderCursor: null,
  problem: null,
  notice: null,
  updated: false,
  log: null,
  logMode: 'readable',
  zoom: 'all',
  kindOfEvents: 'all',
  draft: null,
  canControl: () => !page.session?.scopes || page.session.scopes.includes('control'),
  changed: () => dirty(true),
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
  loadOlder: () => loadOlder(),
  retry: () => connection.retry(),
  leave: () => leave(),
  loadSession: () => loadSession(),
  switchTheme: () => switchTheme(),
  relist: () => {
    relist(page.store);
    settle();
    page.changed();
  },
  grow: (name, many, step) => grow(name, many, step),
};

// Painting

let wanted = false;
let painted = 0;
let heard = 0;
let growing = false;
let toSignIn = false;
const grown = new Map();

/** How many of so many parts are shown by now: some more with each frame, so that no task builds all of them. */
const grow = (name, many, step) => {
  const now = Math.min(many, (grown.get(name) ?? 0) + step);
  grown.set(name, now);
  growing ||= now < many;
  return now;
};

/** Where much happens nobody can read more: what the page does not paint is left to the agents' machine. */
const pace = () => heard > BUSY_EVENTS ? LEAST_BETWEEN_BUSY_PAINTS : LEAST_BETWEEN_PAINTS;

/** Paints in the next frame; after events at most ten times a second, four times where they are many, after a person at once. */
const dirty = soon => {
  if (wanted && !soon) return;
  const paintAt = () => requestAnimationFrame(() => {
    if (!wanted) return;
    wanted = false;
    paint();
  });
  const rest = soon ? 0 : pace() - (performance.now() - painted);
  wanted = true;
  if (rest > 0) setTimeout(paintAt, rest);
  else paintAt();
};

const content = () => {
  if (page.connection.state === 'signIn') return signInView(page);
  if (page.route.view === 'new') return newRunView(page);
  if (page.route.view === 'processes') return processesView(page);
  if (page.route.view !== 'run') return runsView(page);
  const run = page.store.runs.get(page.route.runId);
  const details = page.details.get(page.route.runId);
  if (run && run.status !== 'unknown' && details && !details.gone) return runView(page, run, details);
  const missing = details?.gone ? html`<h1>There is no run ${page.route.runId}</h1>
    <p>It was removed, or its address is that of another server. <code>loopkeeper prune</code> removes runs that have ended long ago.</p>`
    : page.missing;
  return html`<p><a href="#/">← All runs</a></p><div class="empty">${missing ?? 'Loading …'}</div>`;
};

const paint = () => {
  painted = performance.now();
  heard = 0;
  page.now = now();
  growing = false;
  render(html`${page.connection.state === 'signIn' ? nothing : top(page)}<main id="main" tabindex="-1">${content()}</main>`, document.getElementById('app'));
  attachLog();
  picture();
  if (toSignIn) document.getElementById('token')?.focus();
  toSignIn = false;
  if (growing) dirty(true);
};

/** The log is painted by itself, since lines are only ever added to it. */
const attachLog = () => {
  const element = document.getElementById('log');
  const {route} = page;
  const details = page.details.get(route.runId);
  const stepId = element && details ? chosenStep(route, details) : null;
  const key = stepId ? route.runId + ' ' + stepId + ' ' + page.logMode : null;
  if (page.log && page.log.key !== key) {
    page.log.stop();
    page.log = null;
  }
  if (!key) return;
  if (!page.log) {
    page.log = new LogView(route.runId, stepId, page.logMode, route.line,
      () => details.steps.get(stepId)?.status !== 'running', () => Date.parse(details.steps.get(stepId)?.startedAt));
    page.log.onFollow = page.changed;
    page.log.onAway = () => noteAway(route.runId);
    page.changed();
  }
  page.log.attach(element, offset => '#/runs/' + encodeURIComponent(route.runId) + '/steps/' + encodeURIComponent(stepId) + '?line=' + offset);
};

/** What lies on a node that is lost cannot be read; no event tells of that, but the run does. */
const noteAway = runId => {
  const run = page.store.runs.get(runId);
  if (!run || run.waitsFor) return;
  page.store.unsure.add(runId);
  look();
};

// Routes

const routed = () => {
  const before = page.route;
  page.route = parse(location.hash);
  if (before.view !== page.route.view || before.runId !== page.route.runId || before.tab !== page.route.tab) grown.clear();
  page.problem = null;
  page.missing = null;
  if (page.route.q !== before.q) searchLater(page.route.q.trim());
  if (page.route.status !== before.status) askStatus();
  const {runId, tab} = page.route;
  if (page.route.view === 'processes') processesHear(page, 'snapshot');
  if (before.line !== page.route.line && page.log) {
    page.log.stop();
    page.log = null;
  }
  if (runId && (before.runId !== runId || !page.details.has(runId))) openRun(runId);
  else if (runId) loadTab(page.details.get(runId), tab);
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

const askRuns = async query => {
  const {runs, nextCursor} = await get('/runs?limit=' + PAGE_OF_RUNS + query);
  runs.filter(run => run.status).forEach(run => learn(page.store, run));
  return nextCursor;
};

const ENDINGS = new Set(['completed', 'stopped', 'failed']);
const statusAsked = () => ENDINGS.has(page.route.status) ? '&status=' + page.route.status : '';

/** The page knows only the newest runs that have ended; of a status that is chosen it loads more. */
const askStatus = () => {
  page.olderCursor = null;
  if (statusAsked() && page.connection.state === 'live') loadOlder();
};

/** What a person looks for may be older than what this page knows. */
const search = async q => {
  try {
    await askRuns('&q=' + encodeURIComponent(q));
  } catch (refused) {
    page.notice = refused.message;
  }
  page.changed();
};

let searching = null;

const searchLater = q => {
  clearTimeout(searching);
  if (q && page.connection.state === 'live') searching = setTimeout(() => search(q), QUIET);
};

const loadOlder = async () => {
  try {
    const nextCursor = await askRuns(statusAsked() + (page.olderCursor ? '&cursor=' + encodeURIComponent(page.olderCursor) : ''));
    page.olderCursor = nextCursor;
    page.older = nextCursor !== null;
    page.rows.set('ended', (page.rows.get('ended') ?? 0) + PAGE_OF_RUNS);
  } catch (refused) {
    page.notice = refused.message;
  }
  page.changed();
};

// What an event cannot tell is asked for, few at a time and each run only now and then.

const isShown = runId => runId === page.route.runId || page.visible.has(runId) || page.store.runs.get(runId)?.status === 'unknown';

const looked = new Map();
let looking = 0;

const look = () => {
  const now = performance.now();
  for (const runId of page.store.unsure) {
    if (looking >= MOST_LOOKS) return;
    if (!isShown(runId)) continue;
    if (now - (looked.get(runId) ?? -LOOK_AGAIN) < LOOK_AGAIN) continue;
    looked.set(runId, now);
    looking++;
    get(runPath(runId))
      .then(told => learn(page.store, told))
      .catch(refused => {
        if (!(refused instanceof Refused) || refused.status !== 404) return;
        forget(page.store, runId);
        const details = page.details.get(runId);
        if (details) details.gone = true;
      })
      .finally(() => {
        looking--;
        dirty();
        look();
      });
  }
};

// The verdicts before the page was opened: of the rows that are shown, few at a time and once each.

const pictured = new Set();

const picture = () => {
  if (page.route.view !== 'runs') return;
  for (const runId of page.visible) {
    if (looking >= MOST_LOOKS) return;
    const run = page.store.runs.get(runId);
    if (pictured.has(runId) || !run || !isOpen(run) || !hasLoop(run)) continue;
    pictured.add(run.runId);
    looking++;
    get(runPath(run.runId, 'iterations') + '?limit=' + VERDICTS_ASKED)
      .then(({iterations}) => remember(page.store, run.runId, iterations))
      .catch(() => {})
      .finally(() => {
        looking--;
        dirty();
        picture();
      });
  }
};

// The feed

const told = new Set();

const tellPerson = run => {
  const key = run.runId + ' ' + run.sequence;
  if (told.has(key)) return;
  told.add(key);
  page.announce(apart(run.name) + ' ' + run.status + ': ' + why(run));
  if (needsPerson(run) && document.hidden && 'Notification' in window && Notification.permission === 'granted') {
    const note = new Notification(apart(run.name) + ' needs attention', {body: why(run), tag: run.runId});
    note.onclick = () => {
      window.focus();
      location.hash = toRun(run.runId);
    };
  }
};

const title = () => {
  let waiting = 0;
  for (const run of page.store.runs.values()) if (needsPerson(run)) waiting++;
  page.waiting = waiting;
  page.today = spentSince(page.store.runs.values(), new Date(new Date(now()).setHours(0, 0, 0, 0)).toISOString());
  badge(waiting);
};

let settling = false;

/** What follows from events, once for many of them; also while the page is not seen. */
const settle = () => {
  if (settling) return;
  settling = true;
  setTimeout(() => {
    settling = false;
    title();
    look();
    picture();
    dirty();
  }, LEAST_BETWEEN_PAINTS);
};

let recovered = new Set();
let known = null;

const message = one => {
  heard++;
  const run = hear(page.store, one);
  processesHear(page, one.type);
  if (one.type === 'snapshot') {
    known ??= new Set();
    one.runs.forEach(told => known.add(told.runId));
    if (one.more) return;
    page.older ||= page.olderCursor === null && [...page.store.runs.values()].filter(hasEnded).length >= MOST_ENDED_TOLD;
    [...page.store.runs.values()].filter(run => run.status === 'running').slice(0, MOST_FIRST_LOOKS)
      .forEach(run => page.store.unsure.add(run.runId)); // what each does now
    page.store.runs.forEach((each, runId) => {
      // A server with another data folder knows nothing of the runs of the one before.
      if (!hasEnded(each) && !known.has(runId)) forget(page.store, runId);
    });
    known = null;
    page.details.forEach((each, runId) => each.catchUp(page.store.runs.get(runId)));
    title();
    return;
  }
  if (!run) return;
  if (one.type === 'run.paused' || one.type === 'run.ended') tellPerson(run);
  if (one.type === 'notice' && one.data?.code === 'recovered') {
    recovered.add(run.runId);
    page.notice = `The server was restarted; ${recovered.size} ${recovered.size === 1 ? 'run was' : 'runs were'} taken up.`;
  }
  page.details.get(one.runId)?.hear(one, run);
};

const ASSETS = /\/assets\/([0-9a-f]+)\/app\.js/;

/** A server that took the place of another may have another page; what a proxy says instead of it tells nothing. */
const lookForUpdate = async () => {
  try {
    const answer = await fetch('/', {cache: 'no-store', redirect: 'error', signal: AbortSignal.timeout(PATIENCE)});
    const [, offered] = ASSETS.exec(await answer.text()) ?? [];
    page.updated = offered !== undefined && offered !== ASSETS.exec(import.meta.url)?.[1];
  } catch {
    return; // the next time that the connection comes back
  }
  page.changed();
};

const connected = (state, text, silentFor = 0) => {
  const before = page.connection;
  if (state === 'live' && before.state === 'lost') {
    lookForUpdate();
    page.notice ??= 'The connection was lost for ' + duration(now() - before.since) + '; nothing was missed.';
    const {runId} = page.route;
    const details = page.details.get(runId);
    if (details) {
      details.load(page.store.runs.get(runId));
      loadTab(details, page.route.tab);
    }
  }
  if (state === 'live') {
    page.log?.start();
    searchLater(page.route.q.trim());
    if (!page.session) loadSession();
    if (page.route.runId && !page.store.runs.has(page.route.runId)) openRun(page.route.runId);
  }
  if (state === 'lost') {
    recovered = new Set();
    known = null;
    if (before.state === 'live') page.notice = null;
  }
  page.connection = {state, text: text ?? '', since: before.state === state ? before.since : now() - silentFor};
  toSignIn = state === 'signIn' && before.state !== state;
  if (state === 'signIn') badge(0);
  page.changed();
};

const loadSession = async () => {
  try {
    page.session = await get('/session');
  } catch {
    page.session = null;
  }
  page.changed();
};

const leave = () => {
  signOut();
  page.session = null;
  page.store = newStore();
  page.details.clear();
  page.forms.clear();
  pictured.clear();
  known = null;
  page.older = false;
  page.draft = page.processes = page.olderCursor = page.notice = null;
  connection.drop();
  settle();
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
window.addEventListener('hashchange', routed);
window.addEventListener('storage', ({key}) => {
  if (readAgain(key)) page.relist();
});
listen(page);
paint();
if (page.route.runId) openRun(page.route.runId);
const connection = follow({
  cursor: () => page.store.cursor,
  message,
  batch: () => {
    settle();
    dirty();
  },
  state: connected,
});
// Where a laptop woke up the line may be dead without a word.
window.addEventListener('online', () => connection.look());
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) connection.look();
});
setInterval(() => {
  look();
  picture();
  if (!document.hidden) dirty();
}, 1000);
