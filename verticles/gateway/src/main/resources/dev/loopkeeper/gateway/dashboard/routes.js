// What the part of the address after # means. Pure.

/** @returns {{view: string, runId?: string, tab?: string, stepId?: string, line?: string, schedule?: string, q: string, status: string}} */
export const parse = hash => {
  const [path, query] = hash.replace(/^#?\/?/, '').split('?', 2);
  const asked = new URLSearchParams(query ?? '');
  const parts = path.split('/').filter(Boolean).map(part => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  const found = {view: 'runs', q: asked.get('q') ?? '', status: asked.get('status') ?? 'all'};
  if (parts[0] === 'runs' && parts[1]) {
    found.view = 'run';
    found.runId = parts[1];
    found.tab = parts[2] === 'steps' ? 'log' : parts[2] ?? 'log';
    if (parts[2] === 'steps' && parts[3]) found.stepId = parts[3];
    found.line = asked.get('line');
  } else if (parts[0] === 'new' || ['processes', 'policy'].includes(parts[0])) {
    found.view = parts[0];
    if (parts[0] === 'policy') found.schedule = parts[1];
  }
  return found;
};

const asked = parameters => {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => (value || value === 0) && value !== 'all')).toString();
  return query ? '?' + query : '';
};

export const toRuns = (status, q) => '#/' + asked({status, q});
export const toRun = (runId, tab) => '#/runs/' + encodeURIComponent(runId) + (tab && tab !== 'log' ? '/' + tab : '');
export const toSchedule = name => '#/policy/' + encodeURIComponent(name);
export const toStep = (runId, stepId, line) =>
  '#/runs/' + encodeURIComponent(runId) + '/steps/' + encodeURIComponent(stepId) + asked({line});
