// A run as the server describes it, with the events after that folded in. No network, no page.

import {endingNeedsPerson} from './attention.js';
import {now} from './clock.js';

export const plus = (sum, part) => part === null || part === undefined ? sum : (sum ?? 0) + part;
const minus = (now, before) => now === null || now === undefined ? null : now - (before ?? 0);

const PARTS = ['costUsd', 'inputTokens', 'outputTokens', 'turns'];
/** Of how many iterations a run keeps the verdict. */
export const VERDICTS_KEPT = 30;

const ENDED = new Set(['completed', 'stopped', 'failed']);
export const hasEnded = run => ENDED.has(run.status);
export const isOpen = run => !hasEnded(run);
export const waitsSince = run => run.asks?.[0]?.since ?? run.pause?.since ?? (run.waiting && run.last?.at) ?? run.endedAt ?? run.createdAt ?? '';

export const hasLoop = run => run.phases?.some(phase => phase.kind === 'loop') ?? false;

const kindOf = phase => ['task', 'loop', 'each', 'gate'].find(kind => kind in phase) ?? 'task';

const UNITS = {ms: 1, s: 1000, m: 60_000, h: 3_600_000};
const millis = text => {
  const [, amount, unit] = /^([0-9]+)(ms|s|m|h)$/.exec(text ?? '') ?? [];
  return unit ? amount * UNITS[unit] : null;
};

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
      turns: manifest.budget?.turns ?? null, timeMs: millis(manifest.budget?.time), maxIterations: null,
    },
    phases: phases.map(phase => ({name: phase.name, kind: kindOf(phase), status: 'pending'})),
    last: null, activity: null, asks: [], open: {}, verdicts: [], unsure: phases.length === 0,
  };
};

/** What a step used before is in the sum already; of a step that was open before this page followed the feed that is not known. */
const used = (run, stepId, usage) => {
  if (!usage) return;
  const step = run.open[stepId];
  if (!step) {
    run.unsure = true;
    return;
  }
  const sum = {...run.usage};
  for (const part of PARTS) sum[part] = plus(sum[part], minus(usage[part], step.used[part]));
  if (usage.estimated) sum.estimated = true;
  run.usage = sum;
  run.open = {...run.open, [stepId]: {...step, used: {...step.used, ...usage}}};
};

/** It runs; the time under way counts from then on, beyond what is known. */
const runsSince = (run, at) => {
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

/** The open questions of its steps, which need a person. */
const asking = (run, asks) => {
  run.asks = asks;
  run.needsAttention = asks.length > 0;
};

const FOLDS = {
  'ask.opened': (run, {askId, stepId, question, choices}, at) =>
    asking(run, [...run.asks, {askId, stepId, question, choices, since: at}]),
  'ask.closed': (run, data) => asking(run, run.asks.filter(ask => ask.askId !== data.askId)),
  'run.queued': (run, data) => {
    const at = data.request?.at;
    if (at && run.status === 'paused') {
      run.pause = {...run.pause, resumeAt: at};
      run.needsAttention = false;
    } else {
      run.status = 'queued';
    }
  },
  'run.started': (run, data, at) => {
    runsSince(run, at);
    run.startedAt ??= at;
    run.executions = [{execution: 1, startedAt: at, endedAt: null, termination: null}];
  },
  'run.resumed': (run, data, at) => {
    if (!run.activeAt) runsSince(run, at);
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
  'run.pausing': (run, data) => {
    if (data.at) run.pauseAt = data.at;
    else run.pausing = true;
  },
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
    run.needsAttention = run.asks.length > 0;
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
      {iteration: data.iteration, verdict: data.counts === false ? 'asked' : data.verdict}].slice(-VERDICTS_KEPT);
  },
  'terminal-exhaustion': run => { run.unsure = true; }, // only the run object has all of it
  'workspace.committed': run => { run.unsure = true; }, // branch and counts
  'workspace.merged': run => { run.unsure = true; },
  'item.finished': run => { run.unsure = true; }, // counts
  'item.started': (run, data) => { run.position = {...run.position, phase: data.phase, item: data.item}; },
  'step.started': (run, data, at) => {
    if (run.status === 'waiting') {
      runsSince(run, at);
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
    run.unsure = true; // its agent does something, and only the run object says what
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

/** The run after this event. An event that comes twice counts once; {@code unsure}: the run is to be read again. */
export const fold = (before, event) => {
  if (before && event.sequence <= before.sequence) return before;
  if (!before) {
    if (event.type === 'run.created') return created(event);
    return {runId: event.runId, name: event.runId, status: 'unknown', sequence: event.sequence, position: {}, usage: {},
      limits: {}, phases: [], asks: [], open: {}, verdicts: [], unsure: true};
  }
  const run = {...before, sequence: event.sequence, execution: event.execution ?? before.execution};
  delete run.waitsFor; // the node that records an event owns the run
  if (event.sequence > before.sequence + 1) run.unsure = true;
  FOLDS[event.type]?.(run, event.data ?? {}, event.at);
  return run;
};

/** The run as the server sent it, with what only events contain. */
export const adopt = (before, sent) => {
  if (before && sent.sequence < before.sequence) return before;
  const active = sent.status === 'running' || sent.status === 'stopping';
  const open = Object.fromEntries((sent.openSteps ?? []).map(({stepId, agent, startedAt, usage}) =>
    [stepId, {agent, startedAt, used: usage ?? {}}]));
  return {...sent, asks: sent.asks ?? [], activeAt: active ? now() : null, open, verdicts: before?.verdicts ?? [], pausing: before?.pausing ?? false,
    unsure: false};
};
