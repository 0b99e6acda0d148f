// The feed, for as long as the page lives: one stream, taken up again at its cursor when it is lost.

import {ask} from './api.js';

const LONGEST_PAUSE = 5000;

/**
 * @param handlers {cursor(), message(one), batch(), state(name, details)}; states are live, lost and signIn
 * @returns {{retry(): void}} retry tries at once
 */
export const follow = handlers => {
  let wake = () => {};
  let failures = 0;
  let stream = null;

  const rest = milliseconds => new Promise(resolve => {
    const timer = setTimeout(resolve, milliseconds);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });

  const tell = block => {
    const data = block.split('\n').filter(line => line.startsWith('data: ')).map(line => line.slice(6)).join('\n');
    if (data) handlers.message(JSON.parse(data));
  };

  const listen = async () => {
    stream = new AbortController();
    const cursor = handlers.cursor();
    const answer = await ask('/stream' + (cursor ? '?since=' + encodeURIComponent(cursor) : ''), {signal: stream.signal});
    if (answer.status === 401 || answer.status === 403) {
      const refusal = new Error('a token is wanted');
      refusal.signIn = true;
      throw refusal;
    }
    if (!answer.ok) throw new Error('HTTP ' + answer.status);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    let first = true;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (first) {
        first = false;
        failures = 0;
        handlers.state('live');
      }
      const blocks = (text + part.value).split('\n\n');
      text = blocks.pop();
      blocks.forEach(tell);
      handlers.batch();
    }
    throw new Error('the server has ended the connection');
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
  return {retry: () => { wake(); }, drop: () => { stream?.abort(); }};
};
