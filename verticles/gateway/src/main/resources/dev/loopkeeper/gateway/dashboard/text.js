// Texts that others wrote, made fit to stand beside ours. Pure.

const ODD = /[\u0300-\uffff]/;
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;
const PILES = /(\p{M}{5})\p{M}+/gu;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\ud802\ud803\ud83a\ud83b]/;

const seen = sign => '[U+' + sign.charCodeAt(0).toString(16).toUpperCase() + ']';

/**
 * What turns the direction of a text around it becomes visible, and of marks piled on one letter five stay: else a text would
 * change what stands beside it. Also of JSON, which stays the same JSON otherwise.
 */
export const tame = text => ODD.test(text) ? text.replace(TURNS, seen).replace(PILES, '$1') : text;

/** For a text within another where no element can keep them apart, as in titles; it must be tame. */
export const apart = text => text && RIGHT_TO_LEFT.test(text) ? '\u2068' + text + '\u2069' : text;

/** max_turns: "max turns" */
export const words = name => String(name ?? '').replaceAll('_', ' ').replaceAll('-', ' ');

/** running: "Running" */
export const capital = text => text.charAt(0).toUpperCase() + text.slice(1);
