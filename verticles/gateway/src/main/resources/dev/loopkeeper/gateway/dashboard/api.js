// Requests to the server, with the token of this browser tab.

export const BASE = '/api/v1';
const TOKEN = 'loopkeeper.token';

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

export const ask = (path, options = {}) => {
  const headers = {...options.headers};
  if (token()) headers.Authorization = 'Bearer ' + token();
  return fetch(BASE + path, {...options, headers, cache: 'no-store'});
};

const read = async answer => {
  const document = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(answer.status, document);
  return document;
};

export const get = async path => read(await ask(path));
export const post = async (path, body = {}) => read(await ask(path, {
  method: 'POST', body: JSON.stringify(body), headers: {'Content-Type': 'application/json'}}));

export const runPath = (...parts) => '/runs/' + parts.map(encodeURIComponent).join('/');
