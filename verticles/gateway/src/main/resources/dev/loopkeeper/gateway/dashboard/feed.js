// The feed, for as long as the page lives: a WebSocket, opened again at its cursor when it is lost. Browsers keep six
// connections to a server for all its pages together, but do not count WebSockets: many tabs do not starve each other.
// Where one cannot be had, as behind a proxy that does not know them, the same feed comes as server-sent events.

import {ask, BASE, parse, token} from './api.js';

const LONGEST_PAUSE = 5000;
const QUIET = 20_000;
const ANSWER = 10_000;
/** In what a stream brings there is a comment at least every 30 s. */
const LONGEST_SILENCE = 75_000;
const MOST_HELD = 16_000_000;
const LONG = 200_000;
const RUNS_AT_ONCE = 200;
const LONGEST_TASK = 12;
const [QUOTE, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [...'"[]{}'].map(sign => sign.charCodeAt(0));
const PROTOCOL = 'loopkeeper';

/** The names of protocols that a WebSocket offers: the only place where a page can put a token. Pure. */
export const protocols = given => {
  if (!given) return [PROTOCOL];
  const bytes = String.fromCharCode(...new TextEncoder().encode(given));
  return [PROTOCOL, PROTOCOL + '.bearer.' + btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')];
};

/** Where a text of JSON ends that begins at this quote. */
const endOfText = (text, begin) => {
  for (let end = text.indexOf('"', begin + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
};

/** A message as it is; a long snapshot in parts, each but the last with {@code more}, so that no task reads all runs. Pure. */
export function* partsOf(text, most = RUNS_AT_ONCE, long = LONG) {
  const head = '"runs":[';
  const list = text.length > long && text.startsWith('{"type":"snapshot"') ? text.indexOf(head) : -1;
  if (list < 0) {
    yield parse(text);
    return;
  }
  let from = list + head.length;
  let depth = 0;
  let many = 0;
  let at = from;
  for (; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfText(text, at);
    else if (sign === OPEN || sign === OPEN_LIST) depth++;
    else if (sign === CLOSE || sign === CLOSE_LIST) {
      if (depth-- === 0) break;
      if (depth === 0 && ++many === most) {
        yield {type: 'snapshot', runs: parse('[' + text.slice(from, at + 1) + ']'), more: true};
        from = text[at + 1] === ',' ? at + 2 : at + 1;
        many = 0;
      }
    }
  }
  yield parse(text.slice(0, list) + head + text.slice(from));
}

const channel = new MessageChannel();
/** Lets the page do what else is due; timers wait for a second in a hidden page. */
const breath = () => new Promise(resolve => {
  channel.port1.onmessage = resolve;
  channel.port2.postMessage(null);
});

/** Handles messages in their order, and yields after some of them. */
const reader = handlers => {
  let waiting = [];
  let busy = false;
  let work = Promise.resolve();
  const handleAll = async () => {
    let begin = performance.now();
    for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) {
      const from = waiting;
      for (const one of partsOf(text)) {
        handlers.message(one);
        if (performance.now() - begin > LONGEST_TASK) {
          handlers.batch();
          await breath();
          begin = performance.now();
          if (from !== waiting) break;
        }
      }
    }
  };
  const handle = async () => {
    try {
      await handleAll();
    } finally {
      waiting = [];
      busy = false;
      handlers.batch();
    }
  };
  return {
    /** Answers when they are handled; fails, and forgets the rest, where one cannot be read. */
    take: texts => {
      for (const text of texts) waiting.push(text);
      if (!busy) {
        busy = true;
        work = handle();
      }
      return work;
    },
    /** Answers when all that was taken is handled. */
    rest: () => work.catch(() => {}),
    /** Drops what is not handled yet. */
    forget: () => { waiting = []; },
  };
};

const signInWanted = status => status === 401 || status === 403;
const refusal = () => Object.assign(new Error('a token is wanted'), {signIn: true});
const ended = cause => new Error(cause ?? 'the server has ended the connection');
const silent = () => new Error('the server does not answer');

/**
 * @param handlers {cursor(), message(one), batch(), state(name, details, silentFor)}; states are live, lost and signIn;
 *   silentFor: how many ms before a line was given up its last sign of life came
 * @returns {{retry(): void, drop(): void, look(): void}} retry tries at once; drop ends the connection and forgets what it
 *   brought and was not handled yet, and connects again at once; look checks whether the server is still there
 */
export const follow = handlers => {
  let wake = () => {};
  let failures = 0;
  let cut = () => {};
  let look = () => {};
  let dropped = false;
  const messages = reader(handlers);

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

  /** Answers null where the page may have none. */
  const newThread = () => {
    try {
      return new Worker(new URL('socket.js', import.meta.url));
    } catch {
      return null;
    }
  };

  /** Answers whether it was open at all; fails once an open one is lost. */
  const socket = () => new Promise((resolve, reject) => {
    const thread = newThread();
    if (!thread) {
      resolve(false);
      return;
    }
    let open = false;
    const over = cause => {
      thread.onmessage = thread.onerror = null;
      thread.terminate();
      cut = look = () => {};
      if (open) reject(cause);
      else resolve(false);
    };
    cut = () => over(ended());
    look = () => thread.postMessage('look');
    thread.onerror = () => over(ended());
    thread.onmessage = ({data}) => {
      if (data.texts) {
        messages.take(data.texts).then(() => thread.postMessage('taken'), over);
      } else if (data.open) {
        open = true;
        live();
      } else {
        over(Object.assign(ended(data.cause), {silentFor: data.silentFor}));
      }
    };
    thread.postMessage({
      url: location.origin.replace(/^http/, 'ws') + BASE + '/feed' + since(), protocols: protocols(token()),
      quiet: QUIET, answer: ANSWER, most: MOST_HELD,
    });
  });

  const stream = async () => {
    const request = new AbortController();
    cut = () => request.abort();
    let timer = setTimeout(() => request.abort(silent()), ANSWER);
    try {
      await streamed(request, () => {
        clearTimeout(timer);
        timer = setTimeout(() => request.abort(silent()), LONGEST_SILENCE);
      });
    } finally {
      clearTimeout(timer);
    }
  };

  const streamed = async (request, received) => {
    const answer = await ask('/stream' + since(), {signal: request.signal});
    if (signInWanted(answer.status)) throw refusal();
    if (!answer.ok) throw new Error('HTTP ' + answer.status);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    let first = true;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      received();
      if (first) live();
      first = false;
      const blocks = (text + part.value).split('\n\n');
      text = blocks.pop();
      for (const block of blocks) {
        const data = block.split('\n').filter(line => line.startsWith('data: ')).map(line => line.slice(6)).join('\n');
        if (data) await messages.take([data]);
      }
    }
    throw ended();
  };

  /** A browser does not say why a WebSocket failed to open: the answer to another request decides. */
  const listen = async () => {
    await socket();
    const answer = await ask('/session', {signal: AbortSignal.timeout(ANSWER)}).catch(failed => {
      throw failed.name === 'TimeoutError' ? silent() : failed;
    });
    if (signInWanted(answer.status)) throw refusal();
    if (!answer.ok) throw new Error('HTTP ' + answer.status);
    await stream();
  };

  const forever = async () => {
    for (;;) {
      dropped = false;
      try {
        await listen();
      } catch (lost) {
        await messages.rest();
        if (dropped) continue;
        handlers.state(lost.signIn ? 'signIn' : 'lost', lost.message, lost.silentFor);
        failures++;
        await rest(lost.signIn ? 3_600_000 : Math.min(LONGEST_PAUSE, 250 * 2 ** Math.min(failures, 10)));
      }
    }
  };

  forever();
  return {
    retry: () => { wake(); },
    look: () => {
      wake();
      look();
    },
    drop: () => {
      dropped = true;
      messages.forget();
      cut();
      wake();
    },
  };
};
