// What the page does with the messages of the feed and with the state of its connection.

import {needsPerson} from './attention.js';
import {badge} from './badge.js';
import {now} from './clock.js';
import {hasEnded} from './fold.js';
import {duration} from './format.js';
import {spentSince} from './lists.js';
import {notify} from './notify.js';
import {failedSchedules, policyChanged} from './policy-view.js';
import {processesChanged} from './processes-view.js';
import {apply, forget} from './store.js';

const LEAST_BETWEEN = 100;
const MOST_REFRESHED = 40;
const MOST_ENDED_SENT = 50;
const PATIENCE = 30_000;
const ASSETS = /\bassets\/([0-9a-f]+)\//;

export class Updates {
  constructor(page) {
    this.page = page;
    this.settling = false;
    this.recovered = new Set();
    this.inSnapshot = null;
  }

  /** One message of the feed. */
  message(one) {
    const {page} = this;
    page.painter.noteEvent();
    const run = apply(page.store, one);
    processesChanged(page, one.type);
    policyChanged(page, one.type);
    if (one.type === 'snapshot') this.snapshot(one);
    if (!run) return;
    if (one.type === 'run.paused' || one.type === 'run.ended' || one.type === 'ask.opened') notify(page, run);
    if (one.type === 'notice' && one.data?.code === 'recovered') {
      this.recovered.add(run.runId);
      const {size} = this.recovered;
      page.notice = `The server was restarted; ${size} ${size === 1 ? 'run continues' : 'runs continue'}.`;
    }
    page.details.get(one.runId)?.apply(one, run);
  }

  snapshot(one) {
    const {page} = this;
    const {runs, unsure} = page.store;
    this.inSnapshot ??= new Set();
    one.runs.forEach(run => this.inSnapshot.add(run.runId));
    if (one.more) return;
    page.older ||= page.olderCursor === null && [...runs.values()].filter(hasEnded).length >= MOST_ENDED_SENT;
    [...runs.values()].filter(run => run.status === 'running').slice(0, MOST_REFRESHED)
      .forEach(run => unsure.add(run.runId)); // what each does now
    runs.forEach((run, runId) => {
      // A server with another data folder knows nothing of the runs of the one before.
      if (!hasEnded(run) && !this.inSnapshot.has(runId)) forget(page.store, runId);
    });
    this.inSnapshot = null;
    page.details.forEach((details, runId) => details.catchUp(runs.get(runId)));
    this.count();
  }

  /** How many runs and schedules need attention, and what those of today have cost. */
  count() {
    const runs = [...this.page.store.runs.values()];
    this.page.waiting = runs.filter(needsPerson).length + failedSchedules(this.page).length;
    this.page.today = spentSince(runs, new Date(new Date(now()).setHours(0, 0, 0, 0)).toISOString());
    badge(this.page.waiting, this.page.store.runs.get(this.page.route.runId));
  }

  /** What follows from events, once for many of them; also while the page is not seen. */
  settle() {
    if (this.settling) return;
    this.settling = true;
    setTimeout(() => {
      this.settling = false;
      this.count();
      this.page.requests.refresh();
      this.page.requests.loadVerdicts();
      this.page.changedByEvent();
    }, LEAST_BETWEEN);
  }

  connected(state, text, silentFor = 0) {
    const {page} = this;
    const before = page.connection;
    if (state === 'live') this.live(before);
    if (state === 'lost') {
      this.recovered = new Set();
      this.inSnapshot = null;
      if (before.state === 'live') page.notice = null;
    }
    page.connection = {state, text: text ?? '', since: before.state === state ? before.since : now() - silentFor};
    if (state === 'signIn' && before.state !== state) page.focus = '#token';
    if (state === 'signIn') badge(0);
    if (state === 'live' && before.state !== state) {
      page.requests.search();
      if (before.state === 'connecting') page.requests.statusChosen();
    }
    page.changed();
  }

  live(before) {
    const {page} = this;
    if (before.state === 'lost') {
      this.offerUpdate();
      page.notice ??= 'The connection was lost for ' + duration(now() - before.since) + '; nothing was missed.';
      page.reloadRun();
    }
    page.log?.start();
    if (!page.session) page.loadSession();
    if (page.route.runId && !page.store.runs.has(page.route.runId)) page.openRun(page.route.runId);
  }

  /** A server that replaced another one may have another page; the answer of a proxy says nothing about it. */
  async offerUpdate() {
    try {
      const answer = await fetch('./', {cache: 'no-store', redirect: 'error', signal: AbortSignal.timeout(PATIENCE)});
      const [, offered] = ASSETS.exec(await answer.text()) ?? [];
      this.page.updated = offered !== undefined && offered !== ASSETS.exec(import.meta.url)?.[1];
    } catch {
      return; // the next time that the connection comes back
    }
    this.page.changed();
  }

  forget() {
    this.inSnapshot = null;
  }
}
