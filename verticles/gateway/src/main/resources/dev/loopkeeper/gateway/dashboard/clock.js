// The server's time. All times come from it, since the clock of a browser may be wrong.

const SECOND = 1000;

/**
 * How many milliseconds the server is ahead, from what an answer's Date says: it is of a whole second somewhere between the
 * request and the answer. What was known stands as long as it may be right. Pure.
 */
export const aheadOf = (known, date, sent, got) => {
  const from = Date.parse(date) - got;
  if (Number.isNaN(from)) return known;
  const to = Date.parse(date) + SECOND - sent;
  const mayBe = ahead => from <= ahead && ahead <= to;
  return mayBe(known) ? known : mayBe(0) ? 0 : (from + to) / 2;
};

let ahead = 0;

export const now = () => Date.now() + ahead;

export const heed = (date, sent) => {
  if (date) ahead = aheadOf(ahead, date, sent, Date.now());
};
