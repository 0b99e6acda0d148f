// Words for what the server names by a code. The code stands in a tooltip and in the events.

import {capital, words} from './text.js';

const FIELDS = {
  feedback: 'Instructions for the next step', manifest: 'A changed manifest', maxIterations: 'Iterations allowed',
  maxAttempts: 'Attempts for each item', resetItems: 'Start these items again', resetStatistics: 'Reset the counts',
  acknowledge: 'Acknowledge', waive: 'Waive this gate', force: 'Force',
  'budget.costUsd': 'Cost cap in US dollars', 'budget.tokens': 'Token cap', 'budget.turns': 'Turn cap', 'budget.time': 'Cap on active time',
  'stopConditions.maxRetryRate': 'Highest share of retried items', 'stopConditions.maxRejectRate': 'Highest share of rejected items',
  'stopConditions.maxConsecutiveFails': 'Failures in a row allowed', 'stopConditions.circuitBreaker': 'Launches allowed',
  'stopConditions.minAttempted': 'Items before rates count',
};

/** The words that the server has for each; WrittenListsTest compares them. */
const REASONS = {
  missing_signals: 'signal missing or invalid', user_input_needed: 'input needed', anomaly: 'anomaly',
  scope_complete: 'no work left', cadence: 'review due', operator: 'pause requested',
  provider_unavailable: 'provider unavailable', survivors: 'processes could not be killed',
  'convergence-limit': 'iteration limit reached', 'budget-exceeded': 'budget used up',
  'max-retries-exhausted': 'attempts used up', 'stop-condition': 'stop condition met',
  'consecutive-mistakes': 'too many failures in a row', 'no-progress': 'no progress',
  'structured-output-exhausted': 'output does not match its schema', 'prompt-too-long': 'prompt too long for the model',
  'thinking-starved': 'model used up its output on thinking', 'execution-error': 'failed',
  'schema-validation': 'result missing or invalid', 'signal-interrupted': 'interrupted',
  'operator-stop': 'stopped by an operator', 'dependency-blocked': 'blocked by failed items',
  'provider-unavailable': 'provider unavailable', crashed: 'process died', 'gate-hard-fail': 'gate failed',
  'critical-phase-failure': 'critical phase failed', halted: 'halted until its cause is fixed',
  'compaction-failed': 'context could not be shortened', 'provider-auth': 'provider refuses the credentials',
  infrastructure: 'the runtime or its machine failed',
};

const ACTIONS = {
  continue: 'Continue', retry_iteration: 'Retry the iteration', finish_loop: 'Finish the loop', stop_loop_now: 'Stop the run',
  refine_plan: 'Refine the plan', consult_reflection: 'Consult reflection',
};

export const fieldLabel = field => FIELDS[field] ?? capital(words(field.replace('.', ' ')));
export const reasonWords = code => REASONS[code] ?? words(code);
export const actionLabel = action => ACTIONS[action] ?? capital(words(action));
