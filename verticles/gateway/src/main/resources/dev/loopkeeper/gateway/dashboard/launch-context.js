// What a launch knew of what came before it, as lines.

import {money} from './format.js';

const lines = text => text.split('\n').map(line => '    ' + line);

const quoted = (heading, text) => text ? [heading, ...lines(text), ''] : [];

const failed = why => why ? [
  ...quoted('Why this step ran again: ' + why.kind + (why.detail ? ' (' + why.detail + ')' : '')
    + (why.stepId ? ', step ' + why.stepId : ''), why.message),
  ...quoted('Last lines' + (why.exitCode === undefined ? '' : ', exit code ' + why.exitCode), why.output),
  ...quoted('Files in conflict', why.files?.join('\n')),
] : [];

const tried = each => (each.iteration === null ? '' : 'iteration ' + each.iteration + ', ') + 'attempt ' + each.attempt + ': '
  + each.verdict + (each.costUsd === null ? '' : ', ' + money(each.costUsd))
  + (each.changedFiles === null ? '' : ', files changed: ' + each.changedFiles)
  + (each.concern ? ': ' + each.concern.replace(/\s+/g, ' ') : '');

/** Of the answer of `steps/{stepId}/context`; none where nothing came before. */
export const contextLines = ({feedback, last, failure, history, omitted}) => [
  ...quoted('The operator said', feedback),
  ...failed(failure),
  ...(last ? quoted('The last verdict: ' + last.verdict + ', by ' + last.agent + ', step ' + last.stepId,
    last.concern ?? 'no concern was given') : []),
  ...quoted('Earlier iterations or attempts, oldest first' + (omitted ? ' (' + omitted + ' older ones are not listed)' : ''),
    history.map(tried).join('\n')),
];
