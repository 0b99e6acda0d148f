// What the view of one run shows beyond the run object: loaded once, then kept up by events.

import {get, runPath} from './api.js';
import {loadDiff} from './diff.js';
import {ratingOf} from './fold.js';

const MOST_EVENTS = 300;
const MOST_STEPS = 200;
const PAGE_OF_ITERATIONS = 200;

const isText = kind => kind.startsWith('run.') || kind.startsWith('terminal-exhaustion');

export class Details {
  constructor(runId, changed) {
    this.runId = runId;
    this.changed = changed;
    this.explain = null;
    this.steps = new Map();
    this.stepsBefore = null;
    this.iterations = [];
    this.moreIterations = null;
    this.events = [];
    this.receipts = null;
    this.items = null;
    this.diff = null;
    this.marked = null;
    this.merged = null;
    this.manifest = null;
    this.processes = null;
    this.problem = null;
    this.gone = false;
    this.sequence = 0;
    this.loaded = false;
    this.lastCell = null;
    this.due = new Map();
  }

  /** Everything that its view needs at once; also after a lost connection. */
  async load(run) {
    this.sequence = run?.sequence ?? 0;
    const since = Math.max(0, (run?.sequence ?? 0) - MOST_EVENTS);
    await Promise.all([
      this.loadExplain(),
      this.take(runPath(this.runId, 'steps') + '?limit=' + MOST_STEPS, ({steps, nextCursor}) => {
        this.addSteps(steps);
        if (!this.loaded) this.stepsBefore = nextCursor;
        this.loaded = true;
      }).then(() => this.loadIterations()),
      this.take(runPath(this.runId, 'events') + '?since=' + since + '&limit=1000', ({events}) => {
        const known = new Set(events.map(event => event.sequence));
        this.events = [...events, ...this.events.filter(event => !known.has(event.sequence))].slice(-MOST_EVENTS);
      }),
      this.loadItems(run),
    ]);
  }

  /** Loads again what changed between the first load and the begin of the feed. */
  catchUp(run) {
    if (run && this.sequence && run.sequence > this.sequence) this.load(run);
  }

  async take(path, use) {
    try {
      use(await get(path));
      this.problem = null;
    } catch (refused) {
      this.problem = refused.message;
      // Everything that is loaded here is of the run itself.
      if (refused.status === 404) this.gone = true;
    }
    this.changed();
  }

  loadExplain() {
    return this.once('explain', 0, () => this.take(runPath(this.runId, 'explain'), explain => { this.explain = explain; }));
  }

  loadReceipts() {
    return this.once('receipts', 0, () =>
      this.take(runPath(this.runId, 'receipts'), ({receipts}) => { this.receipts = receipts; }));
  }

  loadProcesses() {
    return this.once('processes', 0, () => this.take('/processes', ({processes}) => {
      this.processes = processes.filter(process => process.runId === this.runId);
    }));
  }

  loadManifest() {
    return this.take(runPath(this.runId, 'checkpoint'), checkpoint => { this.manifest = checkpoint.manifest; });
  }

  loadIterations() {
    return this.once('iterations', 1000, () =>
      this.take(runPath(this.runId, 'iterations') + '?limit=' + PAGE_OF_ITERATIONS, page => this.addIterations(page)));
  }

  /** Those before the first that is known, in front of it. */
  loadEarlierSteps() {
    return this.once('steps', 0, () => this.take(runPath(this.runId, 'steps') + '?limit=' + MOST_STEPS + '&cursor=' + this.stepsBefore,
      ({steps, nextCursor}) => {
        this.addSteps(steps);
        this.stepsBefore = nextCursor;
      }));
  }

  /** Oldest first. A row may have been read before its step ended: an end that an event brought in between stays. */
  addSteps(rows) {
    for (const row of rows) {
      const endedInBetween = !row.endedAt && Date.parse(this.steps.get(row.stepId)?.endedAt) >= Date.parse(row.startedAt);
      if (!endedInBetween) this.steps.set(row.stepId, row);
    }
    this.steps = new Map([...this.steps].sort(([, one], [, other]) => Date.parse(one.startedAt) - Date.parse(other.startedAt)));
  }

  /** Those before the first that is known; their places on the strip stay. */
  loadEarlier() {
    return this.once('earlier', 0, () => this.take(runPath(this.runId, 'iterations') + '?limit=' + PAGE_OF_ITERATIONS
      + '&cursor=' + this.moreIterations, page => this.addIterations(page)));
  }

  /** The newest row of an iteration replaces an earlier one. */
  addIterations({iterations, nextCursor}) {
    const known = new Map(this.iterations.map(each => [each.sequence, each]));
    const first = this.iterations[0]?.sequence ?? Infinity;
    iterations.forEach(each => known.set(each.sequence, each));
    this.iterations = [...known.values()].sort((one, other) => one.sequence - other.sequence);
    if ((iterations[0]?.sequence ?? Infinity) < first) this.moreIterations = nextCursor;
  }

  loadItems(run) {
    const hasItems = run?.phases?.some(phase => phase.kind === 'each');
    if (!hasItems) return Promise.resolve();
    return this.once('items', 1000, () =>
      this.take(runPath(this.runId, 'items') + '?limit=1000', ({items, counts, nextCursor}) => {
        this.items = items;
        this.moreItems = nextCursor !== null;
        this.itemCounts = counts;
      }));
  }

  /** One load at a time; requests in between are one more load, not sooner than {@code pause} ms later. */
  once(name, pause, load) {
    const running = this.due.get(name);
    if (running) {
      running.again = true;
      return running.work;
    }
    const entry = {again: false};
    this.due.set(name, entry);
    entry.work = (async () => {
      for (;;) {
        entry.again = false;
        await load();
        if (pause) await new Promise(resolve => { setTimeout(resolve, pause); });
        if (!entry.again) break;
      }
      this.due.delete(name);
    })();
    return entry.work;
  }

  /** Takes one event of this run. */
  apply(event, run) {
    this.gone = false;
    this.sequence = event.sequence;
    if (this.events.at(-1)?.sequence < event.sequence || !this.events.length) this.events.push(event);
    if (this.events.length > MOST_EVENTS * 2) this.events = this.events.slice(-MOST_EVENTS);
    const data = event.data ?? {};
    if (event.type === 'step.started') {
      this.steps.set(data.stepId, {...data, execution: event.execution, status: 'running', pid: null,
        startedAt: event.at, endedAt: null, result: null});
      if (this.processes) this.loadProcesses();
    } else if (event.type === 'step.finished') {
      this.steps.set(data.stepId, {...this.steps.get(data.stepId) ?? data, status: data.result?.status,
        endedAt: event.at, result: data.result, verdict: ratingOf(data.note), concern: data.note?.finding?.keyConcern ?? null});
      if (this.processes) this.loadProcesses();
      if (this.receipts) this.loadReceipts();
    }
    if (/^(iteration|step)\.(started|finished)$/.test(event.type)) this.loadIterations();
    if (event.type === 'workspace.committed' && this.diff && !this.diff.stepId) {
      this.once('diff', 1000, () => loadDiff(this, null, this.changed));
    }
    if (/^item\./.test(event.type)) this.loadItems(run);
    if (isText(event.type)) this.loadExplain();
  }
}
