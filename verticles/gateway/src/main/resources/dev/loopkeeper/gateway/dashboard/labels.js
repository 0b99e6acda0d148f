// Words for what the server names by a code. The code stands in a tooltip and in the events.

import {capital, words} from './format.js';

const FIELDS = {
  feedback: 'Instructions for the next step', manifest: 'A changed manifest', maxIterations: 'Iterations allowed',
  maxAttempts: 'Attempts for each item', resetItems: 'Start these items again', resetStatistics: 'Reset the counts',
  acknowledge: 'The cause is fixed', waive: 'Waive this gate', force: 'Resume without what is needed',
  'budget.costUsd': 'Cost cap in US dollars', 'budget.tokens': 'Token cap', 'budget.turns': 'Turn cap',
  'stopConditions.maxRetryRate': 'Highest share of retried items', 'stopConditions.maxRejectRate': 'Highest share of rejected items',
  'stopConditions.maxConsecutiveFails': 'Failures in a row allowed', 'stopConditions.circuitBreaker': 'Launches allowed',
  'stopConditions.minAttempted': 'Items before rates count',
};

const REASONS = {
  user_input_needed: 'the agent has questions', missing_signals: 'a step left no valid signal', anomaly: 'an anomaly was reported',
  scope_complete: 'the scope is complete', cadence: 'a pause was due', operator: 'a person paused it',
  provider_unavailable: 'the provider is unavailable', survivors: 'processes could not be killed',
  'convergence-limit': 'iteration limit reached', 'max-retries-exhausted': 'attempts used up', 'stop-condition': 'a stop condition was met',
  'consecutive-mistakes': 'too many failures in a row', 'dependency-blocked': 'items are blocked', 'operator-stop': 'stopped by a person',
  'signal-interrupted': 'interrupted', 'gate-hard-fail': 'a gate failed', 'critical-phase-failure': 'a critical phase failed',
  'provider-auth': 'the provider refused the login', infrastructure: 'the machine failed',
};

const ACTIONS = {
  continue: 'Continue', retry_iteration: 'Retry the iteration', finish_loop: 'Finish the loop', stop_loop_now: 'Stop the run',
  refine_plan: 'Refine the plan', consult_reflection: 'Consult reflection',
};

export const fieldLabel = field => FIELDS[field] ?? capital(words(field.replace('.', ' ')));
export const reasonWords = code => REASONS[code] ?? words(code);
export const actionLabel = action => ACTIONS[action] ?? capital(words(action));
