// The WebSocket of the feed, in a thread of its own. What comes while the page is busy it gets in one piece: a thousand
// events in a second are some twenty tasks of the page, not a thousand.
//
// From the page: {url, protocols} once, then 'taken' for each {texts}. To the page: {open}, {texts}, {closed}.

const LEAST_BETWEEN = 50;

let waiting = [];
let owed = false;
let due = null;
let told = -LEAST_BETWEEN;

const tell = () => {
  clearTimeout(due);
  due = null;
  if (waiting.length === 0) return;
  postMessage({texts: waiting});
  waiting = [];
  owed = true;
  told = performance.now();
};

/** The first at once, the next together; none before the page has taken the last. */
const tellSoon = () => {
  if (!owed) due ??= setTimeout(tell, told + LEAST_BETWEEN - performance.now());
};

const connect = (url, protocols) => {
  const socket = new WebSocket(url, protocols);
  socket.onopen = () => postMessage({open: true});
  socket.onmessage = ({data}) => {
    waiting.push(data);
    tellSoon();
  };
  socket.onclose = () => {
    tell();
    postMessage({closed: true});
  };
};

onmessage = ({data}) => {
  if (data === 'taken') {
    owed = false;
    if (waiting.length > 0) tellSoon();
  } else {
    connect(data.url, data.protocols);
  }
};
