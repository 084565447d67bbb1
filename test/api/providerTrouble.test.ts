import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { callTools, type ModelStep, say } from '../setup/providers/modelScript.ts';
import { inject } from '../setup/stack/inject.ts';
import { stackLog } from '../setup/stack/stackLog.ts';
import { type AgentHome, makeAgentHome, textIn, textOf, tool, userMessage } from '../setup/workspace/agentHome.ts';

const task = (home: AgentHome) => `t-${home.agentId.slice(-8)}`;
const latestRun = async (home: AgentHome) => (await home.api('GET', `/api/tasks/${task(home)}`)).body.latestRun;
const finish = (finish_reason: string): ModelStep => ({ chunk: { choices: [{ index: 0, delta: {}, finish_reason }] } });

test('the message of a provider that rejects a call is in the log and in the run, without the key', async () => {
  const home = await makeAgentHome();
  const said = "Invalid schema for function 'x'; your key is sk-test-of-this-run";
  const connection = await home.api('POST', '/api/workflow-apps/openai/connections/apiKey/connect', {
    body: { credentials: { apiKey: 'sk-test-of-this-run', baseUrl: home.provider.baseUrl } },
  });
  const agentId = await home.agent({ aiConnectionId: connection.body.id });
  home.provider.answer([{ status: 400, error: { message: said } }]);
  const taskId = randomUUID();
  const place = `/api/agents/${agentId}/tasks/${taskId}/message`;
  const { status, body } = await home.api('POST', place, { body: { message: userMessage('Hi') } });
  expect([status, body.reason, body.detail.includes('Invalid schema')]).toEqual([502, 'PROVIDER_STATUS', false]);
  const message = "The model provider answered 400: Invalid schema for function 'x'; your key is ***";
  const read = await home.api('GET', `/api/tasks/${taskId}`);
  expect(read.body.latestRun).toMatchObject({ status: 'FAILED', error: { code: 'PROVIDER_STATUS', message } });
  await poll(() => stackLog(body.runId)).toContainEqual(
    expect.objectContaining({ msg: 'a call of a model failed', code: 'PROVIDER_STATUS', message, step: 1 }),
  );
  home.provider.answer(say('Hello'));
  await home.api('POST', place, { body: { message: userMessage('Again') } });
  expect((await home.api('GET', `/api/tasks/${taskId}`)).body.latestRun).not.toHaveProperty('error');
});

test.each<[string, string, string]>([
  ['Mistral', '{"object":"error","message":"Unknown model","type":"invalid_model","code":"1500"}', 'Unknown model'],
  ['Gemini', '[{"error":{"code":400,"message":"Missing signature","status":"INVALID_ARGUMENT"}}]', 'Missing signature'],
  ['FastAPI', '{"detail":[{"loc":["body"],"msg":"field required"}]}', 'field required'],
  ['a proxy', 'no healthy upstream', 'no healthy upstream'],
])('finds the text of %s at its place', async (_, answer, words) => {
  const home = await makeAgentHome();
  const { url } = await loopback(({ url: path }, response) =>
    response.writeHead(path === '/models' ? 404 : 400).end(answer),
  );
  const connection = await home.api('POST', '/api/workflow-apps/openai/connections/apiKey/connect', {
    body: { credentials: { apiKey: 'sk-x', baseUrl: url } },
  });
  const agentId = await home.agent({ aiConnectionId: connection.body.id });
  const taskId = randomUUID();
  await home.api('POST', `/api/agents/${agentId}/tasks/${taskId}/message`, { body: { message: userMessage('Hi') } });
  const { body } = await home.api('GET', `/api/tasks/${taskId}`);
  expect(body.latestRun.error).toEqual({ code: 'PROVIDER_STATUS', message: expect.stringContaining(words) });
});

test('a provider that asks for more time than a turn waits ends it, and callers learn when to come back', async () => {
  const home = await makeAgentHome();
  home.provider.answer([{ status: 429, headers: { 'retry-after': '7200' } }]);
  const { status, body, headers } = await home.send(task(home), 'Hi');
  expect([status, body.reason, headers.get('retry-after')]).toEqual([502, 'PROVIDER_RATE_LIMITED', '7200']);
  expect(home.provider.requests).toHaveLength(1);
  expect((await latestRun(home)).error).toMatchObject({ code: 'PROVIDER_RATE_LIMITED', retryAfterMs: 7_200_000 });
});

test('a turn that waits for its provider says so, and until when', async () => {
  const home = await makeAgentHome();
  home.provider.answer(
    [{ status: 429, headers: { 'retry-after': '3' }, error: { message: 'Slow down' } }],
    say('Hello'),
  );
  const turn = await home.stream(task(home), { message: userMessage('Hi') });
  await poll(async () => (await latestRun(home)).retryAt !== undefined).toBe(true);
  expect(await latestRun(home)).toMatchObject({
    status: 'RUNNING',
    error: { code: 'PROVIDER_RATE_LIMITED', message: expect.stringContaining('Slow down'), retryAfterMs: 3_000 },
  });
  expect(await turn.done).toBe(true);
  expect(await latestRun(home)).not.toHaveProperty('error');
  expect(await latestRun(home)).not.toHaveProperty('retryAt');
});

test.each([
  [429, { code: 'insufficient_quota', message: 'You exceeded your current quota' }],
  [429, { type: 'billing_hard_limit_reached', message: 'Billing hard limit has been reached' }],
  [402, { message: 'Insufficient credits' }],
])('a spent account is not asked again: %s %j', async (status, error) => {
  const home = await makeAgentHome();
  home.provider.answer([{ status, error, headers: { 'retry-after': '1' } }]);
  expect((await home.send(task(home), 'Hi')).body.reason).toBe('PROVIDER_QUOTA');
  expect(home.provider.requests).toHaveLength(1);
});

test.each<[string, ModelStep]>([
  ['closes its socket', { disconnect: true }],
  ['ends its stream without [DONE]', { close: true }],
  ['keeps its socket open', { hang: true }],
  ['fails', { status: 500 }],
])('an answer with its finish reason is complete, where the provider then %s', async (_, then) => {
  const home = await makeAgentHome();
  home.provider.answer([...say('Hel', 'lo'), finish('stop'), { waitMs: 100 }, then]);
  const asked = Date.now();
  const turn = await home.stream(task(home), { message: userMessage('Hi') });
  expect(await turn.done).toBe(true);
  expect([textOf(turn.chunks), home.provider.requests.length]).toEqual(['Hello', 1]);
  expect(Date.now() - asked).toBeLessThan(20_000);
  expect(await latestRun(home)).toMatchObject({ status: 'COMPLETED', finishReason: 'stop' });
});

test.each<[object, string, number]>([
  [{ message: 'context length exceeded', code: 400 }, 'PROVIDER_STATUS', 1],
  [{ message: 'context length exceeded', code: 'context_length_exceeded' }, 'PROVIDER_STATUS', 1],
  [{ message: 'No credits', code: 402 }, 'PROVIDER_QUOTA', 1],
  [{ message: 'Slow down', code: '429' }, 'PROVIDER_RATE_LIMITED', 2],
  [{ message: 'Overloaded', type: 'overloaded_error' }, 'PROVIDER_STATUS', 2],
])('an error within a stream is one of the status that it carries: %j', async (error, code, requests) => {
  const home = await makeAgentHome({ maxRetries: 1 });
  const script: ModelStep[] = [...say('Hel'), { raw: `data: ${JSON.stringify({ error })}\n\n` }, { close: true }];
  home.provider.answer(script, script);
  expect((await home.send(task(home), 'Hi')).body.reason).toBe(code);
  expect(home.provider.requests).toHaveLength(requests);
  expect((await latestRun(home)).error.message).toContain((error as { message: string }).message);
});

test('an answer that is cut off within a call does not run the tool, and the model hears why', async () => {
  const home = await makeAgentHome({ tools: [tool('testing', 'succeed')] as never });
  home.provider.answer(
    [...callTools({ id: 'c1', name: 'testing_succeed', arguments: '' }), { finish: 'length' }],
    say('Shorter.'),
  );
  const { body } = await home.send(task(home), 'Hi');
  expect(textIn(body.messages[0])).toBe('Shorter.');
  expect(body.messages[0].parts[1]).toMatchObject({ toolCallId: 'c1', state: 'output-error' });
  expect(await home.turn(task(home))).toMatchObject({
    steps: [
      { step: 1, finishReason: 'length' },
      { step: 2, finishReason: 'stop' },
    ],
  });
  const heard = home.provider.requests[1]?.body.messages.at(-1);
  expect(heard).toMatchObject({ tool_call_id: 'c1', content: expect.stringContaining('limit of output tokens') });
  expect((await home.api('GET', '/api/executions')).body).toEqual([]);
});

test('128 of 200 calls in one answer are made, and the model hears of the others', async () => {
  const home = await makeAgentHome({ enabledBuiltInTools: ['current_time'] });
  const calls = Array.from({ length: 200 }, (_, n) => ({ id: `c${n}`, name: 'current_time', arguments: {} }));
  home.provider.answer(callTools(...calls), say('Done.'));
  const { body } = await home.send(task(home), 'Hi');
  const states = body.messages[0].parts.flatMap(({ state }: { state?: string }) =>
    state === 'done' ? [] : (state ?? []),
  );
  expect([states.filter((state: string) => state === 'output-available').length, states.length]).toEqual([128, 200]);
  expect(home.provider.requests[1]?.body.messages.at(-1)).toMatchObject({
    content: expect.stringContaining('first 128'),
  });
});

test('a limit of tokens whose name the provider refuses goes under the other name, also in later calls', async () => {
  const home = await makeAgentHome({ maxOutputTokens: 77, model: `m-${randomUUID()}` });
  const refused =
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
  home.provider.answerBy(({ body }) =>
    'max_tokens' in body ? [{ status: 400, error: { message: refused, param: 'max_tokens' } }] : say('Hello'),
  );
  const { workers } = inject('stack');
  for (const text of ['Hi', ...Array(workers).fill('Again')]) {
    expect((await home.send(task(home), text)).status).toBe(200);
  }
  const named = home.provider.requests.map(({ body: { max_tokens, max_completion_tokens } }) => [
    max_tokens,
    max_completion_tokens,
  ]);
  expect(named.slice(0, 2)).toEqual([
    [77, undefined],
    [undefined, 77],
  ]);
  // Each worker detects it once.
  expect(named.filter(([, other]) => other === 77)).toHaveLength(1 + workers);
  expect(named.length).toBeLessThanOrEqual(1 + 2 * workers);
});

test('a limit that is refused as such is refused with its reason', async () => {
  const home = await makeAgentHome({ maxOutputTokens: 77_000 });
  const rule = ({ body }: { body: object }): ModelStep[] => [
    {
      status: 400,
      error: { message: 'max_tokens' in body ? 'max_tokens is too large' : 'max_completion_tokens: unknown' },
    },
  ];
  home.provider.answerBy(rule);
  await home.send(task(home), 'Hi');
  expect((await latestRun(home)).error.message).toContain('max_tokens is too large');
  expect(home.provider.requests).toHaveLength(2);
});

test('a usage that is no usage does no harm', async () => {
  const home = await makeAgentHome({ model: 'priced-model' });
  const usage = { prompt_tokens: 1.5, completion_tokens: '120', total_tokens: 'many' };
  home.provider.answer([...say('Hello'), finish('stop'), { chunk: { choices: [], usage } }, { close: true }]);
  await home.send(task(home), 'Hi');
  expect(home.provider.requests).toHaveLength(1);
  const { body } = await home.api('GET', `/api/tasks/${task(home)}?expansion=usage,latestRun`);
  expect(body.usage).toMatchObject({ inputTokens: 2, outputTokens: 120, totalTokens: 122 });
  // In the format of an older version.
  const { id } = await home.turn(task(home));
  await home.database.taskRun.update({ where: { id }, data: { usage: { totalTokens: '121.5', inputTokens: 'x' } } });
  const old = await home.api('GET', '/api/tasks?expansion=usage');
  expect(old.body[0].usage).toMatchObject({ inputTokens: 0, totalTokens: 122 });
});
