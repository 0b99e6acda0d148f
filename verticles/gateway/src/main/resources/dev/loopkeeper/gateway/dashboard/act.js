// What a person does to a run with one click.

import {post, runPath} from './api.js';
import {learn} from './store.js';

export const act = async (page, run, command, body) => {
  try {
    learn(page.store, await post(runPath(run.runId, ...[command].flat()), body));
    page.problem = null;
  } catch (refused) {
    page.problem = refused.message;
  }
  page.changed();
};

/** Makes the retry that a run waits for at once. */
export const continueNow = (page, run) => act(page, run, 'resume', {action: 'continue'});
