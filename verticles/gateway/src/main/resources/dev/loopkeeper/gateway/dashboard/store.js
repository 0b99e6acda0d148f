// All runs that this page knows, kept up to date by snapshots and events. No network, no page.

import {adopt, fold, VERDICTS_KEPT} from './fold.js';
import {placeOf} from './lists.js';

/**
 * All runs that a page knows, by id, and those to be read again. {@code version} counts all changes, {@code shape} those that
 * change the order of a list.
 */
export const newStore = () => ({runs: new Map(), cursor: null, unsure: new Set(), version: 0, shape: 0, listed: null});

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

/** Applies one message of the feed; answers the run that it changed, if it is one event. */
export const apply = (store, message) => {
  if (message.cursor !== undefined) store.cursor = message.cursor;
  if (message.type === 'snapshot') {
    for (const sent of message.runs) {
      const run = adopt(store.runs.get(sent.runId), sent);
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

/** Takes a run object of the server, unless later events are known already. */
export const learn = (store, sent) => {
  const run = adopt(store.runs.get(sent.runId), sent);
  put(store, run);
  if (run.sequence === sent.sequence) store.unsure.delete(run.runId);
  return run;
};

/** Adds the verdicts of iterations from before the events; those of events stay. */
export const remember = (store, runId, iterations) => {
  const run = store.runs.get(runId);
  if (!run) return;
  const known = new Set(run.verdicts.map(each => each.iteration));
  const earlier = iterations.map(({iteration, paused, verdict}) => ({iteration, verdict: paused === 'user_input_needed' ? 'asked' : verdict}))
    .filter(each => each.verdict && !known.has(each.iteration));
  const verdicts = [...earlier, ...run.verdicts].sort((one, other) => one.iteration - other.iteration).slice(-VERDICTS_KEPT);
  put(store, {...run, verdicts});
};
