// What is known of the runs: a snapshot and the events after it, folded. No network, no page.

import {endingNeedsPerson, needsPerson} from './attention.js';
import {now} from './clock.js';

const plus = (sum, part) => part === null || part === undefined ? sum : (sum ?? 0) + part;
const minus = (now, before) => now === null || now === undefined ? null : now - (before ?? 0);

const PARTS = ['costUsd', 'inputTokens', 'outputTokens', 'turns'];
const VERDICTS_KEPT = 30;

const ENDED = new Set(['completed', 'stopped', 'failed']);
export const hasEnded = run => ENDED.has(run.status);
export const isOpen = run => !hasEnded(run);
export const waitsSince = run => run.pause?.since ?? run.endedAt ?? run.createdAt ?? '';

const kindOf = phase => ['task', 'loop', 'each', 'gate'].find(kind => kind in phase) ?? 'task';

const created = event => {
  const manifest = event.data.manifest ?? {};
  const phases = Array.isArray(manifest.phases) ? manifest.phases : [];
  return {
    runId: event.runId, name: event.data.name, status: 'queued', execution: 1, sequence: event.sequence,
    position: {phase: null, iteration: null, item: null, stepId: null, attempt: null, countedIterations: null}, pause: null,
    usage: {costUsd: null, inputTokens: null, outputTokens: null, turns: null, costKnown: true},
    termination: null, stopReason: null, resumable: true, needsAttention: false, resumeFrom: null, executions: [],
    createdAt: event.at, startedAt: null, endedAt: null, activeMs: 0, activeAt: null, workspace: event.data.workspace ?? null,
    limits: {
      costUsd: manifest.budget?.costUsd ?? null, tokens: manifest.budget?.tokens ?? null,
      turns: manifest.budget?.turns ?? null, maxIterations: null,
    },
    phases: phases.map(phase => ({name: phase.name, kind: kindOf(phase), status: 'pending'})),
    last: null, activity: null, open: {}, verdicts: [], unsure: phases.length === 0,
  };
};

/** What a step used before is in the sum already; of a step that was open before we listened that is not known. */
const used = (run, stepId, usage) => {
  if (!usage) return;
  const step = run.open[stepId];
  if (!step) {
    run.unsure = true;
    return;
  }
  const sum = {...run.usage};
  for (const part of PARTS) sum[part] = plus(sum[part], minus(usage[part], step.used[part]));
  run.usage = sum;
  run.open = {...run.open, [stepId]: {...step, used: {...step.used, ...usage}}};
};

/** The time under way counts from then on, beyond what is known. */
const goes = (run, at) => {
  run.status = 'running';
  run.activeAt = Date.parse(at);
};

const rest = (run, pause, data, waiting = null) => {
  run.activeMs = data.activeMs ?? run.activeMs;
  run.activeAt = null;
  run.pause = pause;
  run.waiting = waiting;
  run.activity = null;
};

/** The rating that the summary of a step has, as the server names it. */
export const ratingOf = (note = {}) => note.failed ? 'FAILED' : note.determination ?? note.verdict ?? null;

const FOLDS = {
  'run.queued': run => { run.status = 'queued'; },
  'run.started': (run, data, at) => {
    goes(run, at);
    run.startedAt ??= at;
    run.executions = [{execution: 1, startedAt: at, endedAt: null, termination: null}];
  },
  'run.resumed': (run, data, at) => {
    if (!run.activeAt) goes(run, at);
    run.status = 'running';
    run.needsAttention = false;
    run.pause = run.waiting = null;
    run.termination = run.endedAt = run.stopReason = null;
    if (data.newExecution) {
      run.executions = [...run.executions ?? [], {execution: run.execution, startedAt: at, endedAt: null, termination: null}];
    }
    run.phases = run.phases?.map(phase => phase.name === run.position?.phase ? {...phase, status: 'active'} : phase);
    run.unsure = true; // limits may be others now
  },
  'run.pausing': run => { run.pausing = true; },
  'run.paused': (run, data, at) => {
    run.status = 'paused';
    run.needsAttention = !data.pause?.resumeAt;
    run.pausing = false;
    rest(run, {since: at, ...data.pause}, data);
  },
  'run.waiting': (run, data) => {
    run.status = 'waiting';
    rest(run, null, data, {reason: null, detail: null, message: data.message, resumeAt: data.resumeAt});
    run.needsAttention = false;
    run.unsure = true; // only the run object has the reason and its detail
  },
  'run.stopping': (run, data, at) => {
    run.activeAt ??= Date.parse(at);
    run.status = 'stopping';
    run.needsAttention = false;
  },
  'run.ended': (run, data, at) => {
    run.status = data.status;
    run.termination = data.termination;
    run.stopReason = data.stopReason ?? null;
    run.endedAt = at;
    run.resumable = data.status !== 'completed';
    run.needsAttention = endingNeedsPerson(data.status, data.termination);
    run.open = {};
    run.phases = run.phases?.map(phase => phase.status !== 'active' ? phase
      : {...phase, status: data.status === 'completed' ? 'passed' : data.status});
    run.pausing = false;
    run.executions = (run.executions ?? []).map((each, index, all) =>
      index === all.length - 1 ? {...each, endedAt: at, termination: data.termination} : each);
    rest(run, null, data);
  },
  'phase.started': (run, data) => {
    run.position = {phase: data.phase, iteration: null, item: null, stepId: null, attempt: null,
      countedIterations: data.kind === 'loop' ? 0 : null};
    run.phases = run.phases.map((phase, index) => index === data.index ? {...phase, status: 'active'} : phase);
    if (data.kind === 'loop') run.unsure = true; // how many iterations it may do
    else run.limits = {...run.limits, maxIterations: null};
  },
  'phase.finished': (run, data) => {
    run.phases = run.phases.map((phase, index) => {
      if (phase.name === data.phase && index !== data.next) return {...phase, status: data.outcome};
      return index >= data.next ? {...phase, status: 'pending'} : phase;
    });
  },
  'iteration.started': (run, data) => {
    const counted = run.position?.countedIterations;
    run.position = {...run.position, phase: data.phase, iteration: data.iteration, item: null,
      countedIterations: data.attempt > 1 ? counted : (counted ?? 0) + 1};
    run.verdicts = run.verdicts.filter(each => each.iteration < data.iteration);
  },
  'iteration.finished': (run, data) => {
    if (data.counts === false) { // cut short by a question
      run.position = {...run.position, countedIterations: Math.max(0, (run.position?.countedIterations ?? 0) - 1)};
    }
    run.verdicts = [...run.verdicts.filter(each => each.iteration !== data.iteration),
      {iteration: data.iteration, verdict: data.verdict}].slice(-VERDICTS_KEPT);
  },
  'terminal-exhaustion': run => { run.unsure = true; }, // only the run object tells all of it
  'workspace.committed': run => { run.unsure = true; }, // branch and counts
  'workspace.merged': run => { run.unsure = true; },
  'item.started': (run, data) => { run.position = {...run.position, phase: data.phase, item: data.item}; },
  'step.started': (run, data, at) => {
    if (run.status === 'waiting') {
      goes(run, at);
      run.waiting = null;
    }
    run.position = {
      phase: data.phase, iteration: data.iteration ?? run.position?.iteration ?? null, item: data.item ?? null,
      stepId: data.stepId, attempt: data.attempt, countedIterations: run.position?.countedIterations ?? null,
    };
    run.activity = null;
    run.open = {...run.open, [data.stepId]: {agent: data.agent, startedAt: at, used: {}}};
  },
  'step.usage': (run, data) => {
    used(run, data.stepId, data.usage);
    run.unsure = true; // it does something, and only the run object tells what
  },
  'step.finished': (run, data, at) => {
    used(run, data.stepId, data.result?.usage);
    run.open = {...run.open};
    delete run.open[data.stepId];
    if (run.activity?.stepId === data.stepId) run.activity = null;
    if (data.costUnknown) run.usage = {...run.usage, costKnown: false};
    const note = data.note ?? {};
    const said = ratingOf(note);
    if (said) {
      run.last = {stepId: data.stepId, verdict: said, concern: note.finding?.keyConcern ?? null, at};
    }
  },
};

/** The run after this event. What it is told twice it counts once; {@code unsure}: a look at the run is due. */
export const fold = (before, event) => {
  if (before && event.sequence <= before.sequence) return before;
  if (!before) {
    if (event.type === 'run.created') return created(event);
    return {runId: event.runId, name: event.runId, status: 'unknown', sequence: event.sequence, position: {}, usage: {},
      limits: {}, phases: [], open: {}, verdicts: [], unsure: true};
  }
  const run = {...before, sequence: event.sequence, execution: event.execution ?? before.execution};
  delete run.waitsFor; // who records it carries it out
  if (event.sequence > before.sequence + 1) run.unsure = true;
  FOLDS[event.type]?.(run, event.data ?? {}, event.at);
  return run;
};

/** The run as the server tells it, with what only events told. */
export const adopt = (before, told) => {
  if (before && told.sequence < before.sequence) return before;
  const active = told.status === 'running' || told.status === 'stopping';
  const open = Object.fromEntries((told.openSteps ?? []).map(({stepId, agent, startedAt, usage}) =>
    [stepId, {agent, startedAt, used: usage ?? {}}]));
  return {...told, activeAt: active ? now() : null, open, verdicts: before?.verdicts ?? [], pausing: before?.pausing ?? false,
    unsure: false};
};

/**
 * All runs that a page knows, by id, and what waits to be looked at. {@code version} counts all changes, {@code shape} those that
 * change the order of a list.
 */
export const newStore = () => ({runs: new Map(), cursor: null, unsure: new Set(), version: 0, shape: 0, listed: null});

const groupOf = run => needsPerson(run) ? 'needs' : hasEnded(run) ? 'ended' : 'going';
const KEYS = {needs: run => waitsSince(run), going: run => run.createdAt, ended: run => run.endedAt ?? run.createdAt};
const placeOf = run => {
  const group = groupOf(run);
  return group + ' ' + run.status + ' ' + KEYS[group](run) + ' ' + run.name;
};

const put = (store, run) => {
  const before = store.runs.get(run.runId);
  store.runs.set(run.runId, run);
  store.version++;
  if (!before || placeOf(before) !== placeOf(run)) store.shape++;
};

/** It is no longer there. */
export const forget = (store, runId) => {
  store.unsure.delete(runId);
  if (!store.runs.delete(runId)) return;
  store.version++;
  store.shape++;
};

const noteUnsure = (store, run) => {
  if (run.unsure) store.unsure.add(run.runId);
  else store.unsure.delete(run.runId);
};

/** One message of the feed; answers the run that it changed, if it is one event. */
export const hear = (store, message) => {
  if (message.cursor !== undefined) store.cursor = message.cursor;
  if (message.type === 'snapshot') {
    for (const told of message.runs) {
      const run = adopt(store.runs.get(told.runId), told);
      put(store, run);
      noteUnsure(store, run);
    }
    return null;
  }
  if (!message.runId) return null;
  const run = fold(store.runs.get(message.runId), message);
  put(store, run);
  noteUnsure(store, run);
  return run;
};

export const learn = (store, told) => {
  const run = adopt(store.runs.get(told.runId), told);
  put(store, run);
  if (run.sequence === told.sequence) store.unsure.delete(run.runId);
  return run;
};

export const hasLoop = run => run.phases?.some(phase => phase.kind === 'loop') ?? false;

/** What its iterations said before events told; what events told since stands. */
export const remember = (store, runId, iterations) => {
  const run = store.runs.get(runId);
  if (!run) return;
  const known = new Set(run.verdicts.map(each => each.iteration));
  const told = iterations.filter(each => each.verdict && !known.has(each.iteration))
    .map(({iteration, verdict}) => ({iteration, verdict}));
  const verdicts = [...told, ...run.verdicts].sort((one, other) => one.iteration - other.iteration).slice(-VERDICTS_KEPT);
  put(store, {...run, verdicts});
};

const SHOWN = {all: () => true, needs: needsPerson};

// Times as text compare as they are; the way of a language would take a hundred times as long.
const by = (key, order) => (one, other) => {
  const left = key(one) ?? '';
  const right = key(other) ?? '';
  return left < right ? -order : left > right ? order : 0;
};

/**
 * For a list: what needs attention (what is paused longest first, then endings, newest first), what is under way (newest first),
 * what has ended (newest first).
 *
 * @param filter all, needs, or a status
 */
export const sections = (runs, filter = 'all', query = '') => {
  const asked = query.trim().toLowerCase();
  const wanted = SHOWN[filter] ?? (run => run.status === filter);
  const found = [...runs].filter(run => wanted(run) && (!asked || [run.runId, run.name, run.workspace, run.status,
    run.pause?.message, run.termination?.summary, ...run.pause?.questions ?? []]
    .some(text => text && String(text).toLowerCase().includes(asked))));
  const lists = {needs: [], going: [], ended: []};
  for (const run of found) lists[groupOf(run)].push(run);
  lists.going.sort(by(KEYS.going, -1));
  lists.ended.sort(by(KEYS.ended, -1));
  lists.needs = [...lists.needs.filter(run => !hasEnded(run)).sort(by(KEYS.needs, 1)),
    ...lists.needs.filter(hasEnded).sort(by(KEYS.needs, -1))];
  return lists;
};

const countsOf = runs => {
  const counts = new Map();
  for (const run of runs) counts.set(run.status, (counts.get(run.status) ?? 0) + 1);
  return counts;
};

/** The same with completed ones in groups and the runs of each status counted, as long as nothing changes it. */
export const listed = (store, filter, query) => {
  const key = [filter, query, store.shape, query.trim() ? store.version : ''].join(' ');
  if (store.listed?.key !== key) {
    const lists = sections(store.runs.values(), filter, query);
    store.listed = {key, ...lists, groups: grouped(lists.ended), counts: countsOf(store.runs.values())};
  }
  return store.listed;
};

/** What belongs to which list is to be decided again. */
export const relist = store => { store.shape++; };

/** What the runs begun since then have cost, as far as they are known here; null where none told. Pure. */
export const spentSince = (runs, midnight) => {
  let sum = null;
  for (const run of runs) if ((run.startedAt ?? run.createdAt ?? '') >= midnight) sum = plus(sum, run.usage?.costUsd);
  return sum;
};

/** Completed runs with one name and day side by side become one group; each other run is one of its own. */
export const grouped = (ended, day = run => (run.endedAt ?? '').slice(0, 10)) => {
  const groups = [];
  for (const run of ended) {
    const last = groups.at(-1);
    const same = run.status === 'completed' && last?.runs[0].status === 'completed';
    if (same && last.name === run.name && last.day === day(run)) last.runs.push(run);
    else groups.push({key: run.runId, name: run.name, day: day(run), runs: [run]});
  }
  return groups;
};
