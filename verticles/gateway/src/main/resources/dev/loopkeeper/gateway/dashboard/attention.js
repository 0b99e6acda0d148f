// Which runs need attention. The server decides; an ending that was marked as seen in this browser is left out.

const KEY = 'loopkeeper.seen';
const MOST_SEEN = 500;

const read = () => {
  try {
    return new Map(JSON.parse(localStorage.getItem(KEY) ?? '[]'));
  } catch {
    return new Map();
  }
};

let seen = read();

/** Another tab has marked some. */
export const readAgain = key => {
  if (key !== KEY) return false;
  seen = read();
  return true;
};

/** Of the ending that the run has now; after a resume its next one is new. */
export const isSeen = run => Boolean(run.endedAt) && seen.get(run.runId) === run.endedAt;

export const needsPerson = run => Boolean(run.needsAttention) && !isSeen(run);

export const markSeen = runs => {
  runs.filter(run => run.endedAt).forEach(run => seen.set(run.runId, run.endedAt));
  seen = new Map([...seen].slice(-MOST_SEEN));
  localStorage.setItem(KEY, JSON.stringify([...seen]));
};

const REQUESTED = new Set(['error_operator_stop', 'error_interrupted']);

/** What the server will say of a run that has just ended so; PageAttentionTest compares both. */
export const endingNeedsPerson = (status, termination) => status !== 'completed' && !REQUESTED.has(termination?.subtype);
