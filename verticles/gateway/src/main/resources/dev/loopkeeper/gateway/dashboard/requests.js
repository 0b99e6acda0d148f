// Requests for what no event contains: few at a time, and for each run only now and then.

import {get, Refused, runPath} from './api.js';
import {hasLoop, isOpen} from './fold.js';
import {forget, learn, remember} from './store.js';

const LEAST_BETWEEN = 5000;
const MOST_AT_ONCE = 4;
const QUIET = 250;
const PAGE_OF_RUNS = 100;
const VERDICTS = 12;
const ENDINGS = new Set(['completed', 'stopped', 'failed']);

export class Requests {
  constructor(page) {
    this.page = page;
    this.open = 0;
    this.refreshed = new Map();
    this.withVerdicts = new Set();
    this.searching = null;
  }

  isShown(runId) {
    const {route, store, visible} = this.page;
    return runId === route.runId || visible.has(runId) || store.runs.get(runId)?.status === 'unknown';
  }

  /** Reads the runs again of which events have not said everything. */
  refresh() {
    const now = performance.now();
    for (const runId of this.page.store.unsure) {
      if (this.open >= MOST_AT_ONCE) return;
      if (!this.isShown(runId)) continue;
      if (now - (this.refreshed.get(runId) ?? -LEAST_BETWEEN) < LEAST_BETWEEN) continue;
      this.refreshed.set(runId, now);
      this.counted(get(runPath(runId)).then(run => learn(this.page.store, run)).catch(failed => this.missing(runId, failed)),
        () => this.refresh());
    }
  }

  missing(runId, failed) {
    if (!(failed instanceof Refused) || failed.status !== 404) return;
    forget(this.page.store, runId);
    const details = this.page.details.get(runId);
    if (details) details.gone = true;
  }

  /** The verdicts from before the page was opened: of the rows that are shown, once each. */
  loadVerdicts() {
    const {route, store, visible} = this.page;
    if (route.view !== 'runs') return;
    for (const runId of visible) {
      if (this.open >= MOST_AT_ONCE) return;
      const run = store.runs.get(runId);
      if (this.withVerdicts.has(runId) || !run || !isOpen(run) || !hasLoop(run)) continue;
      this.withVerdicts.add(runId);
      this.counted(get(runPath(runId, 'iterations') + '?limit=' + VERDICTS)
        .then(({iterations}) => remember(store, runId, iterations)).catch(() => {}), () => this.loadVerdicts());
    }
  }

  counted(request, next) {
    this.open++;
    request.finally(() => {
      this.open--;
      this.page.changedByEvent();
      next();
    });
  }

  async loadRuns(query) {
    const {runs, nextCursor} = await get('/runs?limit=' + PAGE_OF_RUNS + query);
    runs.filter(run => run.status).forEach(run => learn(this.page.store, run));
    return nextCursor;
  }

  status() {
    const {status} = this.page.route;
    return ENDINGS.has(status) ? '&status=' + status : '';
  }

  /** The page knows only the newest runs that have ended; of a status that is chosen it loads more. */
  statusChosen() {
    this.page.olderCursor = null;
    if (this.status() && this.page.connection.state === 'live') this.loadOlder();
  }

  async loadOlder() {
    const {page} = this;
    try {
      page.olderCursor = await this.loadRuns(this.status() + (page.olderCursor ? '&cursor=' + encodeURIComponent(page.olderCursor) : ''));
      page.older = page.olderCursor !== null;
      page.rows.set('ended', (page.rows.get('ended') ?? 0) + PAGE_OF_RUNS);
    } catch (refused) {
      page.notice = refused.message;
    }
    page.changed();
  }

  /** What a person searches may be older than what this page knows. */
  search() {
    const q = this.page.route.q.trim();
    clearTimeout(this.searching);
    if (!q || this.page.connection.state !== 'live') return;
    this.searching = setTimeout(async () => {
      try {
        await this.loadRuns('&q=' + encodeURIComponent(q));
      } catch (refused) {
        this.page.notice = refused.message;
      }
      this.page.changed();
    }, QUIET);
  }

  forgetVerdicts() {
    this.withVerdicts.clear();
  }
}
