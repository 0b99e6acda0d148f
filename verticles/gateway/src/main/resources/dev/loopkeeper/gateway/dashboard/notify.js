// Notifies a person of a run that has just asked, paused or ended.

import {needsPerson} from './attention.js';
import {why} from './format.js';
import {toRun} from './routes.js';
import {apart} from './text.js';

const announced = new Set();

/** Once for each question, pause and ending: to a screen reader, and by the browser where the run needs attention and no person sees the page. */
export const notify = (page, run) => {
  const key = run.runId + ' ' + run.sequence;
  if (announced.has(key)) return;
  announced.add(key);
  page.announce(apart(run.name) + ' ' + run.status + ': ' + why(run));
  if (!needsPerson(run) || !document.hidden || !('Notification' in window) || Notification.permission !== 'granted') return;
  const note = new Notification(apart(run.name) + ' needs attention', {body: why(run), tag: run.runId});
  note.onclick = () => {
    window.focus();
    location.hash = toRun(run.runId);
  };
};
