// The feed, for as long as the page lives: a WebSocket, taken up again at its cursor when it is lost. Browsers keep six
// connections to a server for all its pages together, but do not count WebSockets: many tabs do not starve each other.
// Where one cannot be had, as behind a proxy that does not know them, the same feed comes as server-sent events.

import {ask, BASE, token} from './api.js';

const LONGEST_PAUSE = 5000;
const PROTOCOL = 'loopkeeper';

/** The names of protocols that a WebSocket offers: the only place where a page can put a token. Pure. */
export const protocols = given => {
  if (!given) return [PROTOCOL];
  const bytes = String.fromCharCode(...new TextEncoder().encode(given));
  return [PROTOCOL, PROTOCOL + '.bearer.' + btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')];
};

const signInWanted = status => status === 401 || status === 403;
const refusal = () => Object.assign(new Error('a token is wanted'), {signIn: true});
const ended = () => new Error('the server has ended the connection');

/**
 * @param handlers {cursor(), message(one), batch(), state(name, details)}; states are live, lost and signIn
 * @returns {{retry(): void, drop(): void}} retry tries at once, drop ends the connection, which is taken up again
 */
export const follow = handlers => {
  let wake = () => {};
  let failures = 0;
  let drop = () => {};

  const rest = milliseconds => new Promise(resolve => {
    const timer = setTimeout(resolve, milliseconds);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });

  const since = () => {
    const cursor = handlers.cursor();
    return cursor ? '?since=' + encodeURIComponent(cursor) : '';
  };

  const live = () => {
    failures = 0;
    handlers.state('live');
  };

  /** Answers whether it was open at all; fails once an open one is lost. */
  const socket = () => new Promise((resolve, reject) => {
    const one = new WebSocket(location.origin.replace(/^http/, 'ws') + BASE + '/feed' + since(), protocols(token()));
    let open = false;
    drop = () => one.close();
    one.onopen = () => {
      open = true;
      live();
    };
    one.onmessage = ({data}) => {
      handlers.message(JSON.parse(data));
      handlers.batch();
    };
    one.onclose = () => open ? reject(ended()) : resolve(false);
  });

  const stream = async () => {
    const cut = new AbortController();
    drop = () => cut.abort();
    const answer = await ask('/stream' + since(), {signal: cut.signal});
    if (signInWanted(answer.status)) throw refusal();
    if (!answer.ok) throw new Error('HTTP ' + answer.status);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    let first = true;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (first) live();
      first = false;
      const blocks = (text + part.value).split('\n\n');
      text = blocks.pop();
      for (const block of blocks) {
        const data = block.split('\n').filter(line => line.startsWith('data: ')).map(line => line.slice(6)).join('\n');
        if (data) handlers.message(JSON.parse(data));
      }
      handlers.batch();
    }
    throw ended();
  };

  /** Why a WebSocket does not open no browser tells a page: what the server says to another request decides. */
  const listen = async () => {
    await socket();
    const answer = await ask('/session');
    if (signInWanted(answer.status)) throw refusal();
    if (!answer.ok) throw new Error('HTTP ' + answer.status);
    await stream();
  };

  const forever = async () => {
    for (;;) {
      try {
        await listen();
      } catch (cut) {
        handlers.state(cut.signIn ? 'signIn' : 'lost', cut.message);
        failures++;
        await rest(cut.signIn ? 3_600_000 : Math.min(LONGEST_PAUSE, 250 * 2 ** Math.min(failures, 10)));
      }
    }
  };

  forever();
  return {retry: () => { wake(); }, drop: () => { drop(); }};
};
