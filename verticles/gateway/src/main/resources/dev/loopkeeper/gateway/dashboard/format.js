// Texts for people. Pure.

import {reasonWords} from './labels.js';
import {apart, words} from './text.js';

/** "4 m 12 s" of milliseconds. */
export const duration = milliseconds => {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (milliseconds < 10_000) return (Math.max(0, milliseconds) / 1000).toFixed(1) + ' s';
  if (seconds < 60) return seconds + ' s';
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return minutes + ' m ' + String(seconds % 60).padStart(2, '0') + ' s';
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return hours + ' h ' + String(minutes % 60).padStart(2, '0') + ' m';
  return Math.floor(hours / 24) + ' days';
};

/** "90m": milliseconds as a duration of the manifest, rounded up. */
export const minutes = milliseconds => Math.ceil(milliseconds / 60_000) + 'm';

/** "+2:05" of milliseconds after a beginning. */
export const offset = milliseconds => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = String(seconds % 60).padStart(2, '0');
  return '+' + (hours ? hours + ':' + String(minutes).padStart(2, '0') : minutes) + ':' + rest;
};

/** Milliseconds in which a run was under way, until now. */
export const activeTime = (run, now) => (run.activeMs ?? 0) + (run.activeAt ? Math.max(0, now - run.activeAt) : 0);

/** "12 min", of two times; coarse, so that it need not be painted each second. */
export const age = (since, now) => {
  if (!since) return '';
  const minutes = Math.floor((now - Date.parse(since)) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return minutes + ' min';
  if (minutes < 48 * 60) return Math.floor(minutes / 60) + ' h';
  return Math.floor(minutes / 1440) + ' days';
};

/** "12 min ago" */
export const ago = (since, now) => {
  const text = age(since, now);
  return text === 'now' ? 'just now' : text && text + ' ago';
};

/** "$1.25", "≈$1.25" for an estimate; what was not reported is a dash, never 0. */
export const money = (amount, estimated) => amount === null || amount === undefined ? '–'
  : (estimated === true ? '≈$' : '$') + (amount < 0.01 && amount > 0 ? amount.toFixed(4) : amount.toFixed(2));

/** "41k" */
export const count = number => {
  if (number === null || number === undefined) return '–';
  if (number < 10_000) return String(number);
  return number < 1_000_000 ? Math.round(number / 1000) + 'k' : (number / 1_000_000).toFixed(1) + 'M';
};

/** "1 file", "2 files" */
export const counted = (many, noun) => `${many} ${noun}${many === 1 ? '' : 's'}`;

export const clock = time => time ? new Date(time).toLocaleTimeString() : '';
/** "11:40", without seconds. */
export const time = at => at ? new Date(at).toLocaleTimeString([], {hour: '2-digit', minute: '2-digit'}) : '';
export const moment = time => time ? new Date(time).toLocaleString() : '';

/** Its letter, sign and class: seen without colours, too. */
const VERDICTS = {
  SUCCESS: ['S', '■', 'good', 'success'],
  approved: ['S', '■', 'good', 'approved'],
  MILESTONE_SUCCESS: ['M', '▣', 'good', 'milestone'],
  PROGRESS: ['P', '▪', 'go', 'progress'],
  STALLED: ['T', '▨', 'slow', 'stalled'],
  rejected: ['R', '✖', 'bad', 'rejected'],
  ANOMALY: ['A', '▲', 'bad', 'anomaly'],
  FAILED: ['F', '✖', 'bad', 'failed'],
  failed: ['F', '✖', 'bad', 'failed'],
};

/** The same of what stands in the place of a verdict. */
const NO_VERDICTS = {
  running: ['▸', '▸', 'go', 'running'], asked: ['?', '?', 'act', 'asked'], missing: ['∅', '∅', 'bad', 'no signal'],
  cancelled: ['·', '·', 'slow', 'cancelled'],
};

export const verdict = name => {
  const [letter, sign, kind, word] = VERDICTS[name] ?? NO_VERDICTS[name] ?? ['·', '·', 'none', name ? words(name) : 'not over yet'];
  return {letter, sign, kind, word};
};

/** The verdict of a step; a question takes its place. */
export const ratingOf = step => step.result?.signal?.userInputNeeded ? 'asked' : step.verdict;

const STATUSES = {
  queued: ['◷', 'wait'], running: ['▶', 'go'], waiting: ['◷', 'wait'], paused: ['‖', 'act'], stopping: ['◆', 'slow'],
  completed: ['✓', 'good'], stopped: ['◆', 'slow'], failed: ['✖', 'bad'],
};
const PAUSES = {user_input_needed: '?', anomaly: '!', missing_signals: '∅', scope_complete: '✓', survivors: '!'};

export const status = run => {
  const [sign, kind] = STATUSES[run.status] ?? ['·', 'none'];
  return {sign: run.status === 'paused' ? PAUSES[run.pause?.reason] ?? sign : sign, kind, word: run.status};
};

/** "iteration 3 of 20"; "iteration 4, 3 of 20 used" where not all iterations count for the limit, "iteration 4" where there is none. */
const iterationOf = run => {
  const {iteration, countedIterations: used} = run.position;
  const most = run.limits?.maxIterations;
  if (!most || used === null || used === undefined) return 'iteration ' + iteration;
  return used === iteration ? `iteration ${iteration} of ${most}` : `iteration ${iteration}, ${used} of ${most} used`;
};

/** The counts of a run whose units are the items of one phase; null of another run. */
export const itemCounts = run => {
  const kinds = (run.phases ?? []).map(phase => phase.kind).filter(kind => kind === 'each' || kind === 'loop');
  return kinds.join() === 'each' && run.statistics?.itemsTotal ? run.statistics : null;
};

/** "build, iteration 3 of 20", "features, 3 of 6 items approved" */
export const where = run => {
  const at = run.position ?? {};
  if (!at.phase) return '';
  const items = at.item && itemCounts(run);
  if (items) return apart(at.phase) + `, ${items.itemsApproved} of ${counted(items.itemsTotal, 'item')} approved`;
  if (at.item) return apart(at.phase) + ', item ' + apart(at.item);
  if (!at.iteration) return at.phase;
  return apart(at.phase) + ', ' + iterationOf(run);
};

/** ", in 38 m 02 s"; empty where that is not known or over. */
export const until = (time, now) => {
  const left = Date.parse(time) - now;
  return left > 0 ? ', in ' + duration(left) : '';
};

/** "usage limit of claude resets at 11:40, in 1 h 59 m" */
export const waitsFor = ({waiting}, now) => {
  const then = (waiting?.detail === 'usage-window' ? ' resets at ' : '; it is tried again at ') + time(waiting?.resumeAt);
  return apart(waiting?.message ?? 'a retry') + then + until(waiting?.resumeAt, now);
};

/** The node of a cluster for which it waits; without the silence, which is as old as the run object. */
export const awaited = run => run.waitsFor ? apart(run.waitsFor.replace(/, (silent|which left) .*$/, '')) : '';

/** What came of a completed run: "all tests pass; 4 files changed on its branch". */
const achieved = ({last, git}) => [last?.concern && apart(last.concern), git?.files && counted(git.files, 'file') + ' changed on its branch']
  .filter(Boolean).join('; ');

/** One line: why it is where it is. */
export const why = (run, now) => [awaited(run) && 'waits for ' + awaited(run), reason(run, now)].filter(Boolean).join('; ');

/** "2 questions: “Which port?”" */
const asked = questions => (questions.length > 1 ? questions.length + ' questions: ' : '') + '“' + apart(questions[0]) + '”';

const reason = (run, now) => {
  const pause = run.pause;
  if (run.asks?.length) return asked(run.asks.map(ask => ask.question));
  if (run.status === 'paused' && pause) {
    if (pause.questions?.length) return asked(pause.questions);
    return pause.message || reasonWords(pause.reason) + (pause.detail ? ' (' + words(pause.detail) + ')' : '');
  }
  if (run.status === 'waiting') return waitsFor(run, now);
  if (run.status === 'queued') return 'waits for a slot or for its start';
  if (run.termination && !run.termination.success) return run.termination.summary ?? words(run.termination.subtype);
  if (run.status === 'completed') return achieved(run) || (run.termination?.summary ?? '');
  if (run.activity?.text) return run.activity.text;
  return run.last ? 'last ' + verdict(run.last.verdict).word + (run.last.concern ? ': ' + apart(run.last.concern) : '') : '';
};

export const tokens = usage => {
  if (!usage || (usage.inputTokens === null && usage.outputTokens === null)) return null;
  return (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
};

/** As a shell takes it. */
export const shell = text => /^[\w@%+=:,./-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'";

/** A command line; it names the server's data folder unless that is the default one of a user. */
export const command = ({session}, words) => 'loopkeeper ' + words
  + (!session || session.dataFolder.endsWith('/.local/state/loopkeeper') ? '' : ' --data ' + shell(session.dataFolder));
