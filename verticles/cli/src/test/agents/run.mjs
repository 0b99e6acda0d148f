// Runs the real agent programs through Loopkeeper against the provider on the loopback; see README.md.
import {execFileSync, spawn} from 'node:child_process'
import {createHash} from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import {fileURLToPath} from 'node:url'
import {start} from './provider.mjs'

const here = path.dirname(fileURLToPath(import.meta.url))
const top = path.resolve(here, '../../../../..')
const golden = path.join(top, 'runtime/src/test/resources/dev/loopkeeper/agent')
const options = Object.fromEntries(process.argv.slice(2).map(word => word.replace(/^--/, '').split(/=(.*)/s)).map(([name, value]) => [name, value ?? '']))
const list = (text, all) => text ? text.split(',') : all
const CASES = ['success', 'rate-limit', 'server', 'billing', 'model-missing', 'refused', 'hang', 'concern', 'forget', 'overflow', 'cut', 'cut-fresh']
const loopkeeper = (process.env.LOOPKEEPER ?? path.join(top, 'loopkeeper')).split(' ')
const PATIENCE_SECONDS = Number(options.patience ?? 300)

const AGENTS = {
  'claude-code': {program: 'claude', version: text => text.split(' ')[0], setUp(home, url) {
    return {ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'sk-ant-mock', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1', DISABLE_AUTOUPDATER: '1', DISABLE_ERROR_REPORTING: '1', ANTHROPIC_MODEL: 'mock-1'}
  }},
  'codex': {program: 'codex', version: text => text.split(' ').pop(), setUp(home, url) {
    write(home, '.codex/config.toml', ['model = "mock-1"', 'model_provider = "mock"', 'check_for_update_on_startup = false',
      '[analytics]', 'enabled = false', '[model_providers.mock]', 'name = "mock"', `base_url = "${url}/v1"`,
      'env_key = "MOCK_API_KEY"', 'wire_api = "responses"', 'request_max_retries = 2', 'stream_max_retries = 2', ''].join('\n'))
    return {CODEX_HOME: path.join(home, '.codex'), MOCK_API_KEY: 'mock'}
  }},
  'gemini': {program: 'gemini', version: text => text, setUp(home, url) {
    write(home, '.gemini/settings.json', JSON.stringify({general: {maxAttempts: 3, enableAutoUpdate: false,
      enableAutoUpdateNotification: false}, security: {auth: {selectedType: 'gemini-api-key'}}, telemetry: {enabled: false},
      privacy: {usageStatisticsEnabled: false}, model: {name: 'mock-1'}}))
    return {GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'mock', GEMINI_MODEL: 'mock-1'}
  }},
  'opencode': {program: 'opencode', version: text => text, setUp(home, url) {
    write(home, '.config/opencode/opencode.json', JSON.stringify({autoupdate: false, share: 'disabled', model: 'mock/mock-1',
      small_model: 'mock/mock-1', provider: {mock: {npm: '@ai-sdk/openai-compatible', name: 'mock',
        options: {baseURL: url + '/v1', apiKey: 'mock'}, models: {'mock-1': {name: 'mock-1'}}}}}))
    return {OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1'}
  }},
}

function write(folder, file, text) {
  fs.mkdirSync(path.dirname(path.join(folder, file)), {recursive: true})
  fs.writeFileSync(path.join(folder, file), text)
}

function find(program) {
  for (const folder of (options.bin ? options.bin + ':' : '').concat(process.env.PATH).split(':')) {
    const file = path.join(folder, program)
    if (fs.existsSync(file)) return fs.realpathSync(file) && file
  }
  return null
}

// What is another each time would make each refresh a change of every file.
function steady(text, places) {
  for (const [place, name] of places) text = text.replaceAll(place, name)
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '00000000-0000-4000-8000-000000000000')
    .replace(/127\.0\.0\.1:\d{4,5}/g, '127.0.0.1:4010')
    .replace(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '2026-11-20T10:00:00.000Z')
    .replace(/"timestamp":\d{13}/g, '"timestamp":1795168800000')
    .replace(/\b(ses|msg|prt|req|cf-ray)_[0-9A-Za-z]{10,}/g, '$1_0')
}

function sleepers() {
  return fs.readdirSync('/proc').filter(name => /^\d+$/.test(name)).filter(pid => {
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').includes('sleep 86399')
    } catch {
      return false
    }
  }).length
}

function hash(text) {
  return createHash('sha1').update(text).digest('hex')
}

function later(seconds) {
  return new Promise(resolve => setTimeout(resolve, seconds * 1000))
}

async function run(dialect, which, provider) {
  const agent = AGENTS[dialect]
  const folder = fs.mkdtempSync(path.join(options.tmp ?? os.tmpdir(), `agents-${dialect}-${which}-`))
  const [home, workspace, data] = ['home', 'workspace', 'data'].map(name => path.join(folder, name))
  for (const made of [home, workspace]) fs.mkdirSync(made)
  execFileSync('git', ['init', '-q', workspace])
  const url = which === 'refused' ? 'http://127.0.0.1:9' : `${provider.url}/${which}`
  const bins = [...new Set(Object.values(AGENTS).map(one => find(one.program)).filter(Boolean).map(path.dirname))]
  const env = {PATH: [...bins, process.env.PATH].join(':'), HOME: home, LANG: 'C.UTF-8', NO_PROXY: '*', ...agent.setUp(home, url)}
  const limit = options.idle ?? '40s'
  const words = [...loopkeeper.slice(1), 'run', path.join(top, 'conf/examples', dialect + '.yaml'), '--workspace', workspace,
    '--data', data, '--run-id', 'real', '--var', 'check=true', '--set', 'retry.transient.max=1',
    '--set', 'retry.backoff.initial=1s', '--set', `agents.dev.idleTimeout=${limit}`, '--set', 'agents.dev.timeout=150s',
    ...(which === 'cut-fresh' ? ['--set', 'agents.dev.session=fresh'] : []),
    ...(options.set ? options.set.split(';').flatMap(one => ['--set', one]) : [])]
  const before = provider.log.length
  const begun = Date.now()
  const out = fs.openSync(path.join(folder, 'out.txt'), 'w')
  const process_ = spawn(loopkeeper[0], words, {env, cwd: folder, stdio: ['ignore', out, out]})
  const ended = new Promise(resolve => process_.on('exit', (code, signal) => resolve(code ?? signal)))
  let stopAsked = null
  if (which === 'hang' || which.startsWith('cut')) {
    while (!fs.existsSync(path.join(workspace, 'hanging')) && Date.now() - begun < 120e3) await later(0.1)
    stopAsked = Date.now()
    process_.kill('SIGINT')
  }
  const code = await Promise.race([ended, later(PATIENCE_SECONDS).then(() => { process_.kill('SIGTERM'); return 'never' })])
  const seconds = ((Date.now() - (stopAsked ?? begun)) / 1000).toFixed(1)
  if (code === 'never') await ended
  const repeated = which.startsWith('cut') ? await resume(data, env, folder, provider, before) : null
  const checkpoint = JSON.parse(fs.readFileSync(path.join(data, 'runs/real/checkpoint.json'), 'utf8'))
  const steps = path.join(data, 'runs/real/steps')
  const launched = fs.readdirSync(steps).sort((a, b) => fs.statSync(path.join(steps, a)).mtimeMs - fs.statSync(path.join(steps, b)).mtimeMs)
  const first = launched.find(name => name.includes('dev'))
  const shown = execFileSync(loopkeeper[0], [...loopkeeper.slice(1), 'show', 'real', first, '--data', data, '--json'])
  const exit = JSON.parse(shown).result?.exitCode ?? NaN
  const ending = checkpoint.termination
  const errorContext = checkpoint.pause?.errorContext ?? ending?.errorContext ?? null
  const row = {dialect, case: which, seconds: Number(seconds), exit: code, status: checkpoint.status,
    conclusion: checkpoint.pause?.reason ?? ending?.subtype ?? null, kind: errorContext?.kind ?? null,
    category: errorContext?.category ?? null, message: (errorContext?.message ?? checkpoint.pause?.message ?? ending?.summary ?? '').slice(0, 160),
    launches: launched.length, requests: provider.log.slice(before).filter(one => one.dialect).length, agentExit: exit,
    concern: which === 'concern' ? provider.log.slice(before).some(one => one.concern) : undefined,
    ...repeated,
    left: which === 'hang' ? sleepers() : undefined}
  if (options.golden !== undefined && which !== 'hang') keep(dialect, which, path.join(steps, first), exit, agent, [[folder, '/work'], [top, '/loopkeeper'],
    [path.dirname(path.dirname(find(agent.program))), '/agents']])
  if (options.keep === undefined) fs.rmSync(folder, {recursive: true, force: true})
  else row.folder = folder
  console.log(JSON.stringify(row))
  return row
}

// Goes on after the Ctrl-C; what the agent that was stopped sends from there on, in tokens of about four bytes, and how much
// of it stood at the beginning of an earlier request, so that a provider may have it in its cache.
async function resume(data, env, folder, provider, begin) {
  const before = provider.log.length
  const out = fs.openSync(path.join(folder, 'resumed.txt'), 'w')
  const process_ = spawn(loopkeeper[0], [...loopkeeper.slice(1), 'resume', 'real', '--data', data], {env, cwd: folder, stdio: ['ignore', out, out]})
  await new Promise(resolve => process_.on('exit', resolve))
  const known = new Set()
  const tokens = {again: 0, cached: 0, turns: 0}
  provider.log.forEach((one, at) => {
    if (at < begin || !one.works) return
    let start = ''
    let cached = true
    for (const part of one.parts) {
      start += part
      const size = part.length / 4
      cached &&= known.has(hash(start))
      if (at >= before) tokens[cached ? 'cached' : 'again'] += size
    }
    start = ''
    for (const part of one.parts) known.add(hash(start += part))
    if (at >= before) tokens.turns++
  })
  return {again: Math.round(tokens.again), cached: Math.round(tokens.cached), turns: tokens.turns}
}

function keep(dialect, which, step, exit, agent, places) {
  const name = path.join(golden, dialect, `${which}-${agent.found}`)
  for (const [stream, ending] of [['stdout', 'jsonl'], ['stderr', 'stderr']]) {
    const file = path.join(step, stream + '.log')
    const text = steady(fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '', places)
    if (text) fs.writeFileSync(`${name}.${ending}`, text)
    else fs.rmSync(`${name}.${ending}`, {force: true})
  }
  console.error(`${name}: exit ${exit}`)
}

const provider = await start()
const rows = []
for (const dialect of list(options.agents, Object.keys(AGENTS))) {
  const program = find(AGENTS[dialect].program)
  if (!program) {
    console.error(`${AGENTS[dialect].program} is not installed; left out`)
    continue
  }
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'agents-version-'))
  AGENTS[dialect].found = AGENTS[dialect].version(
    execFileSync(program, ['--version'], {env: {PATH: process.env.PATH, HOME: home}, stdio: ['ignore', 'pipe', 'ignore']}).toString().trim())
  fs.rmSync(home, {recursive: true, force: true})
  for (const which of list(options.cases, CASES)) rows.push(await run(dialect, which, provider))
}
provider.close()
const columns = ['dialect', 'case', 'seconds', 'exit', 'status', 'conclusion', 'kind', 'launches', 'requests', 'agentExit', 'concern', 'left', 'turns', 'again', 'cached']
console.log([columns, columns.map(() => '---'), ...rows.map(row => columns.map(name => row[name] ?? ''))]
  .map(cells => `| ${cells.join(' | ')} |`).join('\n'))
process.exit(0)
