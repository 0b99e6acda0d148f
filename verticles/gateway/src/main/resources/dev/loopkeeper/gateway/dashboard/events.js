// One sentence for each event. Pure.

import {moment, money, verdict} from './format.js';
import {reasonWords} from './labels.js';
import {apart, words} from './text.js';

/** What follows a step that is launched again at once, by the reason. */
const AGAIN = {
  signal: data => ' is launched again to write its signal, nudge ' + (data.retry?.nudges ?? 1),
  overflow: data => ' is launched again in a fresh session with ' + data.agent + ', since the context window was full',
  session: () => ' is launched again in a fresh session, since its session was not found',
};
const again = data => AGAIN[data.reason]?.(data) ?? ' is launched again with ' + data.agent + ' at ' + moment(data.dueAt);

const from = (test, text) => test ? text : '';

const SENTENCES = {
  'run.created': data => 'created in ' + data.workspace,
  'run.queued': data => (data.request?.at ? 'waits until ' + data.request.at : 'waits for a slot') + ', requested by ' + data.by,
  'run.started': () => 'started',
  'run.resumed': data => 'resumed by ' + data.by + ': ' + words(data.action)
    + from(data.request?.feedback, ', feedback: ' + apart(data.request?.feedback)),
  'run.pausing': data => data.at ? 'pauses at ' + data.at : 'pauses when the open steps have ended: ' + reasonWords(data.pause?.reason),
  'run.paused': data => 'paused, ' + reasonWords(data.reason) + from(data.detail, ' (' + words(data.detail) + ')') + ': '
    + (data.pause?.message ?? ''),
  'run.waiting': data => 'waits until ' + moment(data.resumeAt) + ': ' + data.message,
  'run.stopping': data => 'stopping' + from(data.graceful, ' when the open steps are done') + from(data.now, ' at once'),
  'run.ended': data => data.status + ': ' + (data.termination?.summary ?? data.termination?.subtype ?? ''),
  'phase.started': data => 'phase ' + data.phase + ' (' + data.kind + ')',
  'phase.finished': data => 'phase ' + data.phase + ' ' + data.outcome + ': ' + data.message,
  'iteration.started': data => 'iteration ' + data.iteration + ' of ' + data.phase + from(data.attempt > 1, ', attempt ' + data.attempt),
  'iteration.finished': data => 'iteration ' + data.iteration + ' of ' + data.phase + (data.counts === false ? ' was interrupted by a question' : ': ' + verdict(data.verdict).word),
  'item.started': data => 'item ' + data.item + ' of ' + data.phase + from(data.attempt > 1, ', attempt ' + data.attempt),
  'item.finished': data => 'item ' + data.item + ' of ' + data.phase + ': ' + data.outcome
    + from(!data.final, ', will be retried'),
  'step.started': data => 'step ' + data.stepId + ' started' + from(data.escalatedFrom, ', takes over from ' + data.escalatedFrom)
    + from(data.session, ', continued from ' + data.session?.stepId),
  'step.usage': data => 'step ' + data.stepId + ' used ' + money(data.usage?.costUsd, data.usage?.estimated) + ', '
    + ((data.usage?.inputTokens ?? 0) + (data.usage?.outputTokens ?? 0)) + ' tokens so far',
  'step.signal': data => 'step ' + data.stepId + ' signals '
    + (data.signal?.determination ?? data.signal?.verdict ?? data.signal?.status ?? 'something'),
  'step.retrying': data => 'step ' + data.stepId + again(data) + ': ' + (data.error?.message ?? ''),
  'step.finished': data => 'step ' + data.stepId + ' ' + (data.result?.status ?? 'ended')
    + from(data.result?.exitCode !== null && data.result?.exitCode !== undefined, ', exit ' + data.result?.exitCode)
    + from(data.result?.errorContext, ': ' + data.result?.errorContext?.message),
  'step.swept': data => 'step ' + data.stepId + ' left processes behind: ' + data.count + ' ended'
    + from(data.survivors?.length, ', alive: ' + (data.survivors ?? []).map(apart).join('; ')),
  'ask.opened': data => 'step ' + data.stepId + ' asks: ' + data.question,
  'ask.closed': data => 'question of step ' + data.stepId + (data.outcome === 'answered' ? ' answered by ' + data.by + ': ' + data.answer
    : ' closed, ' + (data.outcome === 'timeout' ? 'no answer in time' : 'its step ended')),
  'workspace.committed': data => 'step ' + data.stepId + ' committed ' + data.files + ' files, +' + data.insertions
    + ' −' + data.deletions,
  'workspace.merged': data => 'item ' + data.item + ' of ' + data.phase + (data.commit
    ? ' merged ' + data.files + ' files, +' + data.insertions + ' −' + data.deletions
    : ' could not be merged, conflicts in ' + (data.conflicts ?? []).map(apart).join(', ')),
  'budget.warning': data => 'budget warning: ' + data.message,
  stop: data => 'asked to stop by ' + words(data.cause) + ': ' + data.message,
  'terminal-exhaustion': data => 'ending recorded, ' + reasonWords(data.reasonCode) + ': ' + data.summary,
  'terminal-exhaustion.cleared': data => 'recorded ending ' + reasonWords(data.reasonCode) + ' cleared by ' + data.clearedBy,
  notice: data => data.message,
};

export const sentence = event => SENTENCES[event.type]?.(event.data ?? {}) ?? words(event.type);
