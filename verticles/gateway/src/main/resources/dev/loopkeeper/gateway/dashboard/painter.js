// Paints the page in the next frame in which something changed.

const LEAST_BETWEEN = 100;
const LEAST_BETWEEN_BUSY = 250;
const BUSY_EVENTS = 25;

export class Painter {
  /** @param paint builds the page as it is now */
  constructor(paint) {
    this.paint = paint;
    this.wanted = false;
    this.painted = 0;
    this.events = 0;
    this.growing = false;
    this.grown = new Map();
  }

  noteEvent() {
    this.events++;
  }

  /** After events at most ten times a second, four times where they are many; {@code soon}, after a click or a key, at once. */
  request(soon) {
    if (this.wanted && !soon) return;
    this.wanted = true;
    // A person cannot read faster than that, and the agents need the machine.
    const least = this.events > BUSY_EVENTS ? LEAST_BETWEEN_BUSY : LEAST_BETWEEN;
    const rest = soon ? 0 : least - (performance.now() - this.painted);
    if (rest > 0) setTimeout(() => this.inNextFrame(), rest);
    else this.inNextFrame();
  }

  inNextFrame() {
    requestAnimationFrame(() => {
      if (this.wanted) this.paintNow();
    });
  }

  paintNow() {
    this.wanted = false;
    this.painted = performance.now();
    this.events = 0;
    this.growing = false;
    this.paint();
    if (this.growing) this.request(true);
  }

  /** How many of so many parts to build now: some more with each frame, so that no task builds all of them. */
  grow(name, many, step) {
    const now = Math.min(many, (this.grown.get(name) ?? 0) + step);
    this.grown.set(name, now);
    this.growing ||= now < many;
    return now;
  }

  /** Another view begins with its first parts. */
  startOver() {
    this.grown.clear();
  }
}
