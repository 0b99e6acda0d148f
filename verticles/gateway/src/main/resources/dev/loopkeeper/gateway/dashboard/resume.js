// The body of a resume from what is in its form, and the same as a command line. Pure; what may be asked is the server's.

import {minutes, shell} from './format.js';

const FLAGS = {
  feedback: '--feedback', 'budget.costUsd': '--budget-usd', 'budget.tokens': '--budget-tokens',
  'budget.turns': '--budget-turns', 'budget.time': '--budget-time', maxIterations: '--max-iterations', maxAttempts: '--max-attempts',
  'stopConditions.maxRetryRate': '--max-retry-rate', 'stopConditions.maxRejectRate': '--max-reject-rate',
  'stopConditions.maxConsecutiveFails': '--max-consecutive-fails', 'stopConditions.circuitBreaker': '--circuit-breaker',
  'stopConditions.minAttempted': '--min-attempted', resetItems: '--reset-items', resetStatistics: '--reset-statistics',
  acknowledge: '--acknowledge', waive: '--waive', force: '--force',
};

/** What a person has filled in: nothing yet. */
export const emptyForm = () => ({action: null, answers: [], feedback: '', values: {}, picked: {}, preview: null,
  previewed: '', busy: false, problem: null, problems: new Map()});

/** The fields to show: of each need the alternative that was picked, and what may be given besides. */
export const fieldsOf = (explain, form) => {
  const action = form.action ?? explain.allowedActions?.[0];
  const needs = (explain.needs ?? []).filter(need => !need.actions?.length || need.actions.includes(action));
  const picked = needs.map(need => {
    const all = [need, ...need.alternatives ?? []];
    return {all, field: all.find(each => each.field === form.picked[need.field]) ?? need};
  });
  const besides = (explain.accepts ?? []).filter(field => field.field !== 'feedback');
  return {action, needs: picked, besides};
};

/** Each answer below its question, then what was said besides; empty for nothing. */
export const feedbackOf = (questions, form) => {
  const answered = questions.map((question, index) => [question, (form.answers[index] ?? '').trim()])
    .filter(([, answer]) => answer);
  const parts = answered.map(([question, answer]) => 'Question: ' + question + '\nAnswer: ' + answer);
  if (form.feedback.trim()) parts.push(form.feedback.trim());
  return parts.join('\n\n');
};

/** What a field that is needed offers before a person changes it. */
export const offered = (form, field, needed) => form.values[field.field] ?? (!needed ? undefined
  : field.type === 'list' ? field.choices : field.type === 'duration' ? minutes(field.suggested) : field.suggested);

const valueOf = (field, value) => {
  if (value === undefined || value === null || value === '' || value === false) return undefined;
  if (field.type === 'integer' || field.type === 'number') {
    const number = Number(value);
    return Number.isFinite(number) ? number : undefined;
  }
  if (field.type === 'list') return value.length ? value : undefined;
  return value;
};

const put = (body, path, value) => {
  const [outer, inner] = path.split('.', 2);
  if (inner) body[outer] = {...body[outer], [inner]: value};
  else body[outer] = value;
};

export const bodyOf = (explain, questions, form) => {
  const {action, needs, besides} = fieldsOf(explain, form);
  const body = {action};
  const feedback = feedbackOf(questions, form);
  if (feedback) body.feedback = feedback;
  const needed = needs.map(need => need.field);
  for (const field of [...needed, ...besides]) {
    if (field.field === 'feedback') continue;
    const value = valueOf(field, offered(form, field, needed.includes(field)));
    if (value !== undefined) put(body, field.field, value);
  }
  return body;
};

const LACKS = {text: 'Say what to do differently.', duration: 'Enter a duration such as 8h or 90m.', list: 'Choose at least one.', choice: 'Choose one.', boolean: 'Tick to confirm.'};

/** What is wrong with this field, in words; null for nothing. 0 turns a limit off. */
const problemOf = (field, given, needed) => {
  const value = valueOf(field, given);
  const number = field.type === 'integer' || field.type === 'number';
  const least = field.minimum ?? (field.type === 'integer' ? 1 : 0.01);
  if (value === undefined && needed) return number ? 'Enter at least ' + least + '.' : LACKS[field.type];
  if (value === undefined || !number) return null;
  if (field.type === 'integer' && !Number.isInteger(value)) return 'Enter a whole number.';
  const off = value === 0 && /\b0 (is|turns)\b/.test(field.text);
  return !off && field.minimum !== undefined && value < least ? value + ' is too low; the smallest value that works is ' + least + '.' : null;
};

/** What keeps a form from being sent, by field; {@code force} overrides what is missing. Pure. */
export const problemsOf = (explain, questions, form) => {
  const {needs, besides} = fieldsOf(explain, form);
  const problems = new Map();
  const forced = form.values.force === true;
  for (const {field} of needs) {
    const given = field.field === 'feedback' ? feedbackOf(questions, form) : offered(form, field, true);
    const problem = problemOf(field, given, !forced);
    if (problem) problems.set(field.field, problem);
  }
  for (const field of besides) {
    const problem = problemOf(field, form.values[field.field], false);
    if (problem) problems.set(field.field, problem);
  }
  return problems;
};

/** The first question without an answer; -1 where each has one. Pure. */
export const unanswered = (questions, form) => questions.findIndex((_, index) => !(form.answers[index] ?? '').trim());

/** The same as this body for a person at a terminal, without the name of the program. */
export const commandOf = (runId, body) => {
  const words = ['resume', shell(runId)];
  if (body.action) words.push(body.action);
  const add = (path, value) => {
    const flag = FLAGS[path];
    if (value === true) words.push(flag);
    else words.push(flag, shell(Array.isArray(value) ? value.join(',') : String(value)));
  };
  for (const [name, value] of Object.entries(body)) {
    if (name === 'action') continue;
    if (value && typeof value === 'object' && !Array.isArray(value)) {
      Object.entries(value).forEach(([inner, each]) => add(name + '.' + inner, each));
    } else {
      add(name, value);
    }
  }
  return words.join(' ');
};
