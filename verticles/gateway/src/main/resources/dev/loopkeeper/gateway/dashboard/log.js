// The log of one step: what it said so far, then what it says, appended to the page in batches.

import {ask, get, parse, runPath} from './api.js';
import {now} from './clock.js';
import {counted, moment, offset} from './format.js';
import {contextLines} from './launch-context.js';
import {tame} from './text.js';

const MOST_LINES = 5000;
const TAIL = 1000;
const AGAIN = 1000;
const REST_AFTER = 1000;
const LINES_AT_ONCE = 100;
const NOTHING = {
  prompt: 'This step received no prompt: the manifest sets none for its agent.',
  context: 'Nothing came before this launch.',
  stderr: 'This step printed no errors, or --keep-logs removed its log.',
  raw: 'This step printed no output, or --keep-logs removed its log. Errors shows the other stream.',
};
const SIGNS = {says: '', tool: '▸', result: '◂', usage: '$', error: '✖'};

/** The whole output of a tool below its first and last line. */
const folded = line => {
  const details = document.createElement('details');
  const summary = document.createElement('summary');
  const output = document.createElement('pre');
  summary.textContent = line.text;
  output.textContent = line.output;
  output.tabIndex = 0;
  details.append(summary, output);
  return details;
};

export class LogView {
  /**
   * @param mode readable, raw, stderr, prompt or context
   * @param line the offset of the first line to show; absent: the newest lines are shown
   * @param isOver answers whether the step has ended
   * @param startedAt when it began, in milliseconds
   */
  constructor(runId, stepId, mode, line, isOver, startedAt) {
    this.isOver = isOver;
    this.startedAt = startedAt;
    this.before = line !== null && line !== undefined && line !== '0' && mode === 'readable';
    this.path = runPath(runId, 'steps', stepId, 'log');
    this.key = runId + ' ' + stepId + ' ' + mode;
    this.mode = mode;
    this.wantedLine = line;
    this.lines = [];
    this.shown = 0;
    this.dropped = 0;
    this.following = line === null || line === undefined;
    this.offset = 0;
    this.over = false;
    this.stopped = false;
    this.running = false;
    this.rest = '';
    this.wanted = '';
    this.onFollow = () => {};
    this.onUnreachable = () => {};
    this.seen = () => {
      clearTimeout(this.resting);
      if (document.hidden) this.resting = setTimeout(() => this.cut?.abort(), REST_AFTER);
      else this.start();
    };
    this.left = () => this.cut?.abort();
    document.addEventListener('visibilitychange', this.seen);
    window.addEventListener('pagehide', this.left);
    window.addEventListener('pageshow', this.seen);
    this.start();
  }

  /**
   * Once at a time; after a lost connection it continues at its offset. In a hidden page it stops: each log takes one of the six
   * connections that a browser has to a server.
   */
  async start() {
    if (this.running || this.over || this.stopped || document.hidden && this.cut) return;
    this.running = true;
    this.cut = new AbortController();
    try {
      if (this.mode === 'context') await this.readContext();
      else await (this.mode === 'readable' ? this.readReadable() : this.readRaw());
      this.over = this.mode === 'context' || this.isOver();
      if (this.over && !this.lines.length && !this.stopped) this.add([{kind: 'note', text: NOTHING[this.mode] ?? NOTHING.raw}]);
    } catch (lost) {
      if (lost.status === 503) this.onUnreachable();
      if (lost.status === 404) {
        this.note(lost.message);
        this.over = true;
      }
    }
    this.running = false;
    // The server may have ended it, or the event of the step's end comes a moment later.
    if (!this.over) setTimeout(() => this.start(), AGAIN);
  }

  stop() {
    this.stopped = true;
    clearTimeout(this.resting);
    document.removeEventListener('visibilitychange', this.seen);
    window.removeEventListener('pagehide', this.left);
    window.removeEventListener('pageshow', this.seen);
    this.cut?.abort();
  }

  /**
   * Again from the last line on after a cut, without what is shown of it already. Of a line that names no time its arrival is the
   * time only where it lies behind what was written when this began.
   */
  async readReadable() {
    const last = this.lines.at(-1)?.offset;
    let written = Infinity;
    get(this.path + '?view=readable&tail=0').then(({nextOffset}) => { written = nextOffset; }, () => {});
    let known = last === undefined ? 0 : this.lines.filter(line => line.offset === last).length;
    const decoder = new TextDecoder();
    let text = '';
    await this.stream('?view=readable&follow=true&' + this.from(last), bytes => {
      const parts = (text + decoder.decode(bytes, {stream: true})).split('\n');
      text = parts.pop();
      const fresh = parts.filter(Boolean).map(part => parse(part)).filter(line => line.offset !== last || known-- <= 0);
      for (const line of fresh) if (line.offset >= written) line.at ??= new Date(now()).toISOString();
      this.add(fresh);
      // What is there at the beginning is the end of the log; it may have more than that.
      if (last === undefined && !this.before && this.following && this.lines[TAIL - 1]?.offset < written) {
        this.before = true;
        this.onFollow(true);
      }
    });
  }

  from(last) {
    if (last !== undefined) return 'offset=' + last;
    return this.following ? 'tail=' + TAIL : 'offset=' + this.wantedLine;
  }

  /** What came before a launch never changes. */
  async readContext() {
    this.add(contextLines(await get(this.path.replace(/log$/, 'context'))).map(text => ({kind: 'says', text: tame(text)})));
  }

  async readRaw() {
    const decoder = new TextDecoder();
    const stream = this.mode === 'raw' ? '' : '&stream=' + this.mode;
    await this.stream('?follow=true&offset=' + this.offset + stream, bytes => {
      this.offset += bytes.length;
      const parts = (this.rest + decoder.decode(bytes, {stream: true})).split('\n');
      this.rest = parts.pop();
      this.add(parts.map(text => ({kind: 'says', text: tame(text)})));
    });
    if (this.rest && this.isOver()) {
      this.add([{kind: 'says', text: tame(this.rest)}]);
      this.rest = '';
    }
  }

  async stream(query, take) {
    const answer = await ask(this.path + query, {signal: this.cut.signal});
    if (!answer.ok) {
      const problem = await answer.json().catch(() => ({}));
      throw Object.assign(new Error(problem.detail ?? 'HTTP ' + answer.status), {status: answer.status});
    }
    const reader = answer.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) take(part.value);
  }

  note(text) {
    this.add([{kind: 'error', text}]);
  }

  add(lines) {
    this.lines.push(...lines);
    if (this.lines.length > MOST_LINES * 2) {
      const cut = this.lines.length - MOST_LINES;
      this.lines = this.lines.slice(cut);
      this.dropped += cut;
      this.shown = Math.max(0, this.shown - cut);
      this.trim = (this.trim ?? 0) + cut;
    }
    this.due();
  }

  due() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.paint();
    });
  }

  /** Shows the log in this element, which no other code fills. */
  attach(element, link) {
    if (this.element === element) return;
    this.element = element;
    this.link = link;
    element.replaceChildren();
    this.shown = 0;
    this.trim = 0;
    element.onscroll = () => {
      const bottom = element.scrollHeight - element.scrollTop - element.clientHeight < 24;
      if (bottom !== this.following && (bottom || element.scrollTop < this.lastTop)) this.follow(bottom);
      this.lastTop = element.scrollTop;
    };
    this.due();
  }

  /** Only lines with this text are shown; empty: all. */
  find(text) {
    this.wanted = text.trim().toLowerCase();
    for (const row of this.element?.children ?? []) this.hide(row);
  }

  /** "3 found in the 1000 lines shown"; empty without a search. */
  found() {
    if (!this.wanted || !this.element) return '';
    const {childElementCount: shown} = this.element;
    return `${shown - this.element.querySelectorAll('.line[hidden]').length} found in the ${counted(shown, 'line')} shown`;
  }

  hide(row) {
    row.hidden = Boolean(this.wanted) && !row.textContent.toLowerCase().includes(this.wanted);
    const output = row.querySelector('details');
    if (output && this.wanted && !row.hidden) output.open = output.lastChild.textContent.toLowerCase().includes(this.wanted);
  }

  follow(on) {
    this.following = on;
    if (on) this.due();
    this.onFollow(on);
  }

  paint() {
    const element = this.element;
    if (!element?.isConnected) return;
    if (this.trim) {
      while (this.trim-- > 0 && element.firstChild) element.firstChild.remove();
      this.trim = 0;
    }
    const fresh = document.createDocumentFragment();
    const next = Math.min(this.lines.length, this.shown + LINES_AT_ONCE);
    for (const line of this.lines.slice(this.shown, next)) fresh.append(this.row(line));
    this.shown = next;
    if (next < this.lines.length) this.due(); // the rest in the frames that follow
    element.append(fresh);
    while (element.childElementCount > MOST_LINES) element.firstChild.remove();
    if (this.following) element.scrollTop = element.scrollHeight;
  }

  /** Always as text: what an agent says is never markup. */
  row(line) {
    const row = document.createElement('div');
    row.className = 'line ' + line.kind;
    if (line.offset !== undefined) {
      const link = document.createElement('a');
      const at = line.at ? Date.parse(line.at) : null;
      link.className = 'offset';
      link.href = this.link(line.offset);
      link.textContent = at ? offset(at - this.startedAt()) : '#';
      link.title = (at ? moment(at) + ', ' : '') + 'byte ' + line.offset;
      link.setAttribute('aria-label', 'Link to this line, ' + link.title);
      link.tabIndex = -1;
      row.append(link);
      if (String(line.offset) === this.wantedLine) {
        row.classList.add('wanted');
        requestAnimationFrame(() => row.scrollIntoView({block: 'center'}));
      }
    }
    const kind = document.createElement('span');
    kind.className = 'kind';
    kind.textContent = SIGNS[line.kind] ?? '';
    const text = line.output ? folded(line) : document.createElement('span');
    text.classList.add('text');
    if (!line.output) text.textContent = line.text;
    row.append(kind, text);
    if (this.wanted) this.hide(row);
    return row;
  }
}
