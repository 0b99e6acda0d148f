// The WebSocket of the feed, in a thread of its own. What comes while the page is busy it gets in one piece: a thousand
// events in a second are some twenty tasks of the page, not a thousand.
//
// A line can die without a word, as where a laptop slept or a server hangs. So after {quiet} ms without a message the
// server is asked for a sign of life, and what does not answer within {answer} ms is over. A page that takes nothing for
// long, e.g. at a breakpoint, is not waited for: above {most} characters the line ends, and the page begins anew at its
// place once it has taken them.
//
// From the page: {url, protocols, quiet, answer, most} once, then 'taken' for each {texts}, and 'look' where something
// may have happened to the line. To the page: {open}, {texts}, {closed, cause, silentFor}.

const LEAST_BETWEEN = 50;
const PING = '{"type":"ping"}';
const PONG = '{"type":"pong"}';
const SILENT = 'the server does not answer';

let waiting = [];
let held = 0;
let owed = false;
let due = null;
let told = -LEAST_BETWEEN;
let over = null;
let look = () => {};

const tell = () => {
  clearTimeout(due);
  due = null;
  if (waiting.length > 0) {
    postMessage({texts: waiting});
    waiting = [];
    held = 0;
    owed = true;
    told = performance.now();
  }
  if (over) postMessage(over);
};

/** The first at once, the next together; none before the page has taken the last. */
const tellSoon = () => {
  if (!owed) due ??= setTimeout(tell, told + LEAST_BETWEEN - performance.now());
};

const connect = ({url, protocols, quiet, answer, most}) => {
  const socket = new WebSocket(url, protocols);
  let heard = performance.now();
  let asked = null;
  let timer = null;

  /** @param silentFor how many ms ago the last sign of life came, where there should have been one since */
  const end = (cause, atOnce, silentFor = 0) => {
    if (over) return;
    over = {closed: true, cause, silentFor};
    clearTimeout(timer);
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    if (atOnce) tell();
    else tellSoon();
  };

  const lookLater = wait => {
    clearTimeout(timer);
    timer = setTimeout(() => look(false), Math.max(0, wait));
  };

  look = now => {
    if (over) return;
    if (socket.readyState !== WebSocket.OPEN) asked ??= heard;
    if (asked !== null) {
      const left = asked + answer - performance.now();
      if (left > 0) lookLater(left);
      else end(SILENT, true, performance.now() - heard);
      return;
    }
    const left = heard + quiet - performance.now();
    if (!now && left > 0) {
      lookLater(left);
      return;
    }
    asked = performance.now();
    socket.send(PING);
    lookLater(answer);
  };

  socket.onopen = () => {
    heard = performance.now();
    asked = null;
    postMessage({open: true});
    lookLater(quiet);
  };
  socket.onmessage = ({data}) => {
    heard = performance.now();
    if (asked !== null) lookLater(quiet);
    asked = null;
    if (data === PONG) return;
    if (waiting.length > 0 && held + data.length > most) {
      end('this page was held up');
      return;
    }
    waiting.push(data);
    held += data.length;
    tellSoon();
  };
  socket.onclose = () => end(undefined, true);
  lookLater(answer);
};

onmessage = ({data}) => {
  if (data === 'taken') {
    owed = false;
    if (waiting.length > 0 || over) tellSoon();
  } else if (data === 'look') {
    look(true);
  } else {
    connect(data);
  }
};
