// The WebSocket of the feed, in a thread of its own. What comes while the page is busy it gets together: a thousand
// events in a second are some twenty tasks of the page, not a thousand.
//
// A connection can die without a close, as where a laptop slept or a server hangs. So after {quiet} ms without a message the
// server must give a sign of life, and one that does not answer within {answer} ms is over. A page that takes nothing for
// long, e.g. at a breakpoint, is not waited for: above {most} characters the connection ends, and the page connects again
// at its cursor once it has taken them.
//
// From the page: {url, protocols, quiet, answer, most} once, then 'taken' for each {texts}, and 'look' where something
// may have happened to the connection. To the page: {open}, {texts}, {closed, cause, silentFor}.

const LEAST_BETWEEN = 50;
const PING = '{"type":"ping"}';
const PONG = '{"type":"pong"}';
const SILENT = 'the server does not answer';

let waiting = [];
let held = 0;
let unconfirmed = false;
let due = null;
let posted = -LEAST_BETWEEN;
let over = null;
let look = () => {};

const post = () => {
  clearTimeout(due);
  due = null;
  if (waiting.length > 0) {
    postMessage({texts: waiting});
    waiting = [];
    held = 0;
    unconfirmed = true;
    posted = performance.now();
  }
  if (over) postMessage(over);
};

/** The first at once, the next together; none before the page has taken the last. */
const postSoon = () => {
  if (!unconfirmed) due ??= setTimeout(post, posted + LEAST_BETWEEN - performance.now());
};

const connect = ({url, protocols, quiet, answer, most}) => {
  const socket = new WebSocket(url, protocols);
  let received = performance.now();
  let asked = null;
  let timer = null;

  /** @param silentFor how many ms ago the last sign of life came, where there should have been one since */
  const end = (cause, atOnce, silentFor = 0) => {
    if (over) return;
    over = {closed: true, cause, silentFor};
    clearTimeout(timer);
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    if (atOnce) post();
    else postSoon();
  };

  const lookLater = wait => {
    clearTimeout(timer);
    timer = setTimeout(() => look(false), Math.max(0, wait));
  };

  look = now => {
    if (over) return;
    if (socket.readyState !== WebSocket.OPEN) asked ??= received;
    if (asked !== null) {
      const left = asked + answer - performance.now();
      if (left > 0) lookLater(left);
      else end(SILENT, true, performance.now() - received);
      return;
    }
    const left = received + quiet - performance.now();
    if (!now && left > 0) {
      lookLater(left);
      return;
    }
    asked = performance.now();
    socket.send(PING);
    lookLater(answer);
  };

  socket.onopen = () => {
    received = performance.now();
    asked = null;
    postMessage({open: true});
    lookLater(quiet);
  };
  socket.onmessage = ({data}) => {
    received = performance.now();
    if (asked !== null) lookLater(quiet);
    asked = null;
    if (data === PONG) return;
    if (waiting.length > 0 && held + data.length > most) {
      end('this page could not process events in time');
      return;
    }
    waiting.push(data);
    held += data.length;
    postSoon();
  };
  socket.onclose = () => end(undefined, true);
  lookLater(answer);
};

onmessage = ({data}) => {
  if (data === 'taken') {
    unconfirmed = false;
    if (waiting.length > 0 || over) postSoon();
  } else if (data === 'look') {
    look(true);
  } else {
    connect(data);
  }
};
