// Requests to the server, with the token of this browser tab.

import {heed} from './clock.js';
import {tame} from './text.js';

/** Beside the folder of the assets, also below the path of another server. */
export const BASE = new URL('../../api/v1', import.meta.url).pathname;
const TOKEN = 'loopkeeper.token';
const PATIENCE = 30_000;
/** Longer than the server itself waits until a command is done. */
const PATIENCE_TO_ACT = 90_000;

export const token = () => sessionStorage.getItem(TOKEN) ?? '';
export const signIn = text => sessionStorage.setItem(TOKEN, text);
export const signOut = () => sessionStorage.removeItem(TOKEN);

export class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? 'HTTP ' + status);
    this.status = status;
    this.problem = problem;
  }
}

export const ask = async (path, options = {}) => {
  const headers = {...options.headers};
  if (token()) headers.Authorization = 'Bearer ' + token();
  const sent = Date.now();
  const answer = await fetch(BASE + path, {...options, headers, cache: 'no-store'});
  heed(answer.headers.get('Date'), sent);
  return answer;
};

/** A document of the server; what agents wrote in it is tame. Fails as JSON does. */
export const parse = text => JSON.parse(tame(text));

/** A server that hangs keeps no person waiting for good. */
const within = async (patience, path, options, late) => {
  try {
    return await ask(path, {...options, signal: AbortSignal.timeout(patience)});
  } catch (failed) {
    if (failed.name === 'TypeError') throw new Error('The server cannot be reached.');
    throw failed.name === 'TimeoutError' ? new Error('The server did not answer' + late + '.') : failed;
  }
};

const read = async answer => {
  const document = await answer.text().then(parse).catch(() => ({}));
  if (!answer.ok) throw new Refused(answer.status, document);
  return document;
};

export const get = async path => read(await within(PATIENCE, path, {}, ''));
export const post = async (path, body = {}) => read(await within(PATIENCE_TO_ACT, path, {
  method: 'POST', body: JSON.stringify(body), headers: {'Content-Type': 'application/json'}},
  '; the request may still take effect; check the run before you try again'));

export const runPath = (...parts) => '/runs/' + parts.map(encodeURIComponent).join('/');
