// A provider on the loopback that answers the four agents' protocols from a script. What it answers is the first part of
// the path, so that one provider serves every case: http://127.0.0.1:PORT/<case>/...
import http from 'node:http'

const RATE = {
  anthropic: [429, {type: 'error', error: {type: 'rate_limit_error',
    message: "This request would exceed your organization's rate limit of 30,000 input tokens per minute."}}, {'retry-after': '2'}],
  openai: [429, {error: {message: 'Rate limit reached for mock-1 in organization org-mock on tokens per min (TPM): '
    + 'Limit 30000, Used 22999, Requested 12528. Please try again in 2.5s.', type: 'tokens', param: null,
    code: 'rate_limit_exceeded'}}, {'retry-after': '2'}],
  gemini: [429, {error: {code: 429, message: 'Resource has been exhausted (e.g. check quota).', status: 'RESOURCE_EXHAUSTED',
    details: [{'@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '2s'}]}}],
}
const SERVER = {
  anthropic: [500, {type: 'error', error: {type: 'api_error', message: 'Internal server error'}}],
  openai: [500, {error: {message: 'The server had an error while processing your request. Sorry about that!',
    type: 'server_error', param: null, code: null}}],
  gemini: [500, {error: {code: 500, message: 'An internal error has occurred.', status: 'INTERNAL'}}],
}
const BILLING = {
  anthropic: [400, {type: 'error', error: {type: 'invalid_request_error', message: 'Your credit balance is too low to access '
    + 'the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.'}}],
  openai: [429, {error: {message: 'You exceeded your current quota, please check your plan and billing details.',
    type: 'insufficient_quota', param: null, code: 'insufficient_quota'}}],
  gemini: [403, {error: {code: 403, message: 'This API method requires billing to be enabled. Please enable billing on '
    + 'project #mock and try again.', status: 'PERMISSION_DENIED', details: [{
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'BILLING_DISABLED', domain: 'googleapis.com'}]}}],
}
const MODEL = {
  anthropic: [404, {type: 'error', error: {type: 'not_found_error', message: 'model: mock-1'}}],
  openai: [404, {error: {message: 'The model `mock-1` does not exist or you do not have access to it.',
    type: 'invalid_request_error', param: null, code: 'model_not_found'}}],
  gemini: [404, {error: {code: 404, message: 'models/mock-1 is not found for API version v1beta, or is not supported for '
    + 'generateContent.', status: 'NOT_FOUND'}}],
}
const OVERFLOW = {
  anthropic: [400, {type: 'error', error: {type: 'invalid_request_error', message: 'prompt is too long: 215000 tokens > 200000 maximum'}}],
  openai: [400, {error: {message: "This model's maximum context length is 128000 tokens. However, your messages resulted in 215000 tokens.",
    type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded'}}],
  gemini: [400, {error: {code: 400, message: 'The input token count (1215000) exceeds the maximum number of tokens allowed (1048576).',
    status: 'INVALID_ARGUMENT'}}],
}
const ERRORS = {'rate-limit': RATE, 'server': SERVER, 'billing': BILLING, 'model-missing': MODEL}

/** What the judge of the case concern says in its first iteration, and the next launch of the other agent must send. */
const CONCERN = 'header row lost in export 4711'

/** What the prompt of a judge asks for, and that of no other agent. */
const JUDGES = '"$LOOPKEEPER_SIGNAL" --determination'

/** How many files the model of the case cut reads, one in a turn, before it is done; each answer is some 1,000 tokens. */
const FILES = 6
const REPORT = '--status completed --concern done'

// The agent whose first launch is stopped in the middle of its work.
function isCut(what, text) {
  return what.startsWith('cut') && !text.includes(JUDGES)
}

// What the model wants run: the signal that the prompt asks for, or something that does not end.
function wantedCommand(what, text, read) {
  if (isCut(what, text)) {
    if (read < FILES) return `yes 'line of file ${read}' | head -c 4000`
    if (read === FILES) return 'test -e hanging || { touch hanging; sleep 86399; }'
  }
  if (what === 'forget' && !text.includes(JUDGES) && !text.includes('signal-invalid')) return null
  if (what === 'hang') return 'touch hanging; sleep 86399'
  if (!text.includes('"$LOOPKEEPER_SIGNAL" --')) return null
  if (!text.includes(JUDGES)) return `"$LOOPKEEPER_SIGNAL" ${REPORT}`
  const open = what === 'concern' && /This is iteration 1\b/.test(text)
  return `"$LOOPKEEPER_SIGNAL" --determination ${open ? 'PROGRESS' : 'SUCCESS'} --concern '${open ? CONCERN : 'none'}'`
}

function sse(response, events) {
  response.writeHead(200, {'content-type': 'text/event-stream'})
  for (const [name, data] of events) {
    response.write((name ? `event: ${name}\n` : '') + `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
  }
  response.end()
}

// The reply of one turn: {tool, args} or {text}.
function reply(what, body, tools, results, isShell) {
  const text = body.replaceAll('\\n', '\n').replaceAll('\\"', '"')
  const shell = tools.find(isShell)
  const command = wantedCommand(what, text, results)
  const isOver = isCut(what, text) ? text.includes(REPORT) : results > 0
  return shell && command && !isOver ? {tool: shell, command} : {text: 'Done.'}
}

function anthropic(what, body, json, response) {
  const tools = (json.tools ?? []).map(tool => tool.name)
  const results = (json.messages ?? []).flatMap(message => Array.isArray(message.content) ? message.content : [])
    .filter(block => block.type === 'tool_result').length
  const turn = reply(what, body, tools, results, name => name === 'Bash')
  const block = turn.tool ? {type: 'tool_use', id: `toolu_${results + 1}`, name: turn.tool, input: {}} : {type: 'text', text: ''}
  const delta = turn.tool
    ? {type: 'input_json_delta', partial_json: JSON.stringify({command: turn.command, description: 'Work'})}
    : {type: 'text_delta', text: turn.text}
  const usage = {input_tokens: 1200, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0}
  const message = {id: 'msg_1', type: 'message', role: 'assistant', model: json.model, content: [], stop_reason: null,
    stop_sequence: null, usage}
  if (!json.stream) {
    response.writeHead(200, {'content-type': 'application/json'})
    response.end(JSON.stringify({...message, content: [{type: 'text', text: turn.text ?? 'Done.'}], stop_reason: 'end_turn'}))
    return
  }
  sse(response, [
    ['message_start', {type: 'message_start', message}],
    ['content_block_start', {type: 'content_block_start', index: 0, content_block: block}],
    ['content_block_delta', {type: 'content_block_delta', index: 0, delta}],
    ['content_block_stop', {type: 'content_block_stop', index: 0}],
    ['message_delta', {type: 'message_delta', delta: {stop_reason: turn.tool ? 'tool_use' : 'end_turn', stop_sequence: null},
      usage: {output_tokens: 40}}],
    ['message_stop', {type: 'message_stop'}],
  ])
}

function responses(what, body, json, response) {
  const tools = (json.tools ?? []).map(tool => tool.name ?? tool.type)
  const results = (json.input ?? []).filter(item => item.type === 'function_call_output').length
  const turn = reply(what, body, tools, results, name => ['exec_command', 'shell_command', 'shell'].includes(name))
  const args = turn.tool === 'exec_command' ? {cmd: turn.command, yield_time_ms: 30000}
    : turn.tool === 'shell' ? {command: ['sh', '-c', turn.command]} : {command: turn.command}
  const item = turn.tool
    ? {type: 'function_call', id: `fc_${results + 1}`, call_id: `call_${results + 1}`, name: turn.tool, arguments: JSON.stringify(args)}
    : {type: 'message', id: 'msg_1', role: 'assistant', content: [{type: 'output_text', text: turn.text, annotations: []}]}
  const usage = {input_tokens: 1200, input_tokens_details: {cached_tokens: 0}, output_tokens: 40,
    output_tokens_details: {reasoning_tokens: 0}, total_tokens: 1240}
  sse(response, [
    ['response.created', {type: 'response.created', response: {id: 'resp_1'}}],
    ['response.output_item.added', {type: 'response.output_item.added', output_index: 0, item}],
    ['response.output_item.done', {type: 'response.output_item.done', output_index: 0, item}],
    ['response.completed', {type: 'response.completed', response: {id: 'resp_1', status: 'completed', output: [item], usage}}],
  ])
}

function chat(what, body, json, response) {
  const tools = (json.tools ?? []).map(tool => tool.function?.name)
  const results = (json.messages ?? []).filter(message => message.role === 'tool').length
  const turn = reply(what, body, tools, results, name => name === 'bash')
  const delta = turn.tool
    ? {role: 'assistant', tool_calls: [{index: 0, id: `call_${results + 1}`, type: 'function',
      function: {name: turn.tool, arguments: JSON.stringify({command: turn.command, description: 'Work'})}}]}
    : {role: 'assistant', content: turn.text}
  const chunk = {id: 'chat_1', object: 'chat.completion.chunk', created: 1, model: json.model}
  sse(response, [
    [null, {...chunk, choices: [{index: 0, delta, finish_reason: null}]}],
    [null, {...chunk, choices: [{index: 0, delta: {}, finish_reason: turn.tool ? 'tool_calls' : 'stop'}]}],
    [null, {...chunk, choices: [], usage: {prompt_tokens: 1200, completion_tokens: 40, total_tokens: 1240}}],
    [null, '[DONE]'],
  ])
}

function gemini(what, body, json, response, streaming) {
  const tools = (json.tools ?? []).flatMap(tool => tool.functionDeclarations ?? []).map(tool => tool.name)
  const results = (json.contents ?? []).flatMap(content => content.parts ?? []).filter(part => part.functionResponse).length
  const turn = reply(what, body, tools, results, name => name === 'run_shell_command')
  const part = turn.tool
    ? {functionCall: {name: turn.tool, args: {command: turn.command, description: 'Work'}}}
    : {text: json.generationConfig?.responseMimeType === 'application/json' ? '{}' : turn.text}
  const answer = {candidates: [{content: {role: 'model', parts: [part]}, finishReason: 'STOP', index: 0}],
    usageMetadata: {promptTokenCount: 1200, candidatesTokenCount: 40, totalTokenCount: 1240}, modelVersion: 'mock-1'}
  if (streaming) {
    sse(response, [[null, answer]])
  } else {
    response.writeHead(200, {'content-type': 'application/json'})
    response.end(JSON.stringify(answer))
  }
}

// What a request sends, in the order in which a provider reads it; marks of what to cache are left out.
function parts(json) {
  const {messages, input, contents, system, systemInstruction, instructions, tools} = json
  return [tools, system ?? systemInstruction ?? instructions, ...(messages ?? input ?? contents ?? [])]
    .map(part => JSON.stringify(part ?? null, (name, value) => name === 'cache_control' ? undefined : value))
}

function answer(request, body, response, log) {
  const [, what, ...rest] = new URL(request.url, 'http://localhost').pathname.split('/')
  const path = '/' + rest.join('/')
  const dialect = path.includes('/messages') ? 'anthropic'
    : path.includes('enerateContent') ? 'gemini'
    : path.endsWith('/responses') ? 'responses' : path.endsWith('/chat/completions') ? 'chat' : null
  log.push({what, path, dialect, concern: body.includes(CONCERN) && !body.replaceAll('\\"', '"').includes(JUDGES)})
  if (!dialect || request.method !== 'POST' || path.includes('count_tokens')) {
    response.writeHead(404, {'content-type': 'application/json'})
    response.end('{}')
    return
  }
  const full = what === 'overflow' && !body.includes('context-overflow') && !body.replaceAll('\\"', '"').includes(JUDGES)
  const error = (full ? OVERFLOW : ERRORS[what])?.[dialect === 'anthropic' || dialect === 'gemini' ? dialect : 'openai']
  if (error) {
    response.writeHead(error[0], {'content-type': 'application/json', ...error[2]})
    response.end(JSON.stringify(error[1]))
    return
  }
  const json = JSON.parse(body)
  if (json.tools?.length && isCut(what, body.replaceAll('\\"', '"'))) Object.assign(log.at(-1), {works: true, parts: parts(json)})
  if (dialect === 'gemini') gemini(what, body, json, response, path.includes('stream'))
  else ({anthropic, responses, chat})[dialect](what, body, json, response)
}

/** Listens on a free port of 127.0.0.1; log has a line for each request. */
export function start() {
  const log = []
  const server = http.createServer((request, response) => {
    const parts = []
    request.on('data', part => parts.push(part))
    request.on('end', () => answer(request, Buffer.concat(parts).toString(), response, log))
  })
  return new Promise(resolve => server.listen(0, '127.0.0.1',
    () => resolve({url: `http://127.0.0.1:${server.address().port}`, log, close: () => server.close()})))
}
