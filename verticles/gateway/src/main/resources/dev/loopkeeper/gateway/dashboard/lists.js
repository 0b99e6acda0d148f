// The runs in the lists of the page: what needs attention, what runs, what has ended. Pure.

import {needsPerson} from './attention.js';
import {hasEnded, plus, waitsSince} from './fold.js';

const groupOf = run => needsPerson(run) ? 'needs' : hasEnded(run) ? 'ended' : 'going';
const KEYS = {needs: run => waitsSince(run), going: run => run.createdAt, ended: run => run.endedAt ?? run.createdAt};
/** Where a run stands in its list; when this changes, the lists are made again. */
export const placeOf = run => {
  const group = groupOf(run);
  return group + ' ' + run.status + ' ' + KEYS[group](run) + ' ' + run.name;
};

const isAsking = run => Boolean(run.asks?.length);

const SHOWN = {all: () => true, needs: needsPerson};

// Times as text compare as they are; the way of a language would take a hundred times as long.
const by = (key, order) => (one, other) => {
  const left = key(one) ?? '';
  const right = key(other) ?? '';
  return left < right ? -order : left > right ? order : 0;
};

/**
 * For a list: what needs attention (what asks longest first, then what is paused longest, then endings, newest first), what is under way (newest first),
 * what has ended (newest first).
 *
 * @param filter all, needs, or a status
 */
export const sections = (runs, filter = 'all', query = '') => {
  const asked = query.trim().toLowerCase();
  const wanted = SHOWN[filter] ?? (run => run.status === filter);
  const found = [...runs].filter(run => wanted(run) && (!asked || [run.runId, run.name, run.workspace, run.status,
    run.pause?.message, run.termination?.summary, ...run.pause?.questions ?? [], ...run.asks?.map(ask => ask.question) ?? []]
    .some(text => text && String(text).toLowerCase().includes(asked))));
  const lists = {needs: [], going: [], ended: []};
  for (const run of found) lists[groupOf(run)].push(run);
  lists.going.sort(by(KEYS.going, -1));
  lists.ended.sort(by(KEYS.ended, -1));
  lists.needs = [...lists.needs.filter(isAsking).sort(by(KEYS.needs, 1)),
    ...lists.needs.filter(run => !isAsking(run) && !hasEnded(run)).sort(by(KEYS.needs, 1)),
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

/** What the runs begun since then have cost, as far as they are known here; null where none has reported a cost. Pure. */
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
