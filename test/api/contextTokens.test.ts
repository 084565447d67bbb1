import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { callTools, type ModelStep, say } from '../setup/providers/modelScript.ts';
import { type AgentHome, makeAgentHome, textIn, tool } from '../setup/workspace/agentHome.ts';

const payload = (id: string, bytes: number) => callTools({ id, name: 'testing_payload', arguments: { bytes } });
const latestRun = async (home: AgentHome, taskId: string) =>
  (await home.api('GET', `/api/tasks/${taskId}`)).body.latestRun;
const sent = (home: AgentHome, call: number) => home.provider.requests[call]?.body.messages ?? [];
const offered = (home: AgentHome, call: number) =>
  (home.provider.requests[call]?.body.tools ?? []).map(({ function: { name } }) => name);

test('a conversation longer than contextTokens continues: old results are shortened, then old turns removed', async () => {
  const home = await makeAgentHome({
    ...{ contextTokens: 2_000, enableToolResultOffload: false },
    tools: [tool('testing', 'payload')] as never,
  });
  const taskId = randomUUID();
  home.provider.answer(payload('c1', 60_000), say('One.'), say('Two.'));
  await home.send(taskId, 'First');
  await home.send(taskId, 'Second');
  const shortened = sent(home, 2).find(({ tool_call_id }) => tool_call_id === 'c1')?.content as string;
  expect(shortened).toContain('was shortened');
  expect(shortened.length).toBeLessThan(1_000);
  expect(await latestRun(home, taskId)).toMatchObject({
    status: 'COMPLETED',
    contextTrimmed: { toolResults: 1, messages: 0 },
  });

  home.provider.answerBy(() => say('Indeed. '.repeat(50)));
  for (let n = 0; n < 8; n += 1) await home.send(taskId, `${n} ${'and so on '.repeat(150)}`);
  const last = sent(home, home.provider.requests.length - 1);
  expect(last.slice(0, 2).map(({ role }) => role)).toEqual(['system', 'user']);
  expect(last.at(-1)).toMatchObject({ role: 'user', content: expect.stringContaining('7 and so on') });
  expect(JSON.stringify(last).length).toBeLessThan(14_000);
  const { contextTrimmed } = await latestRun(home, taskId);
  expect(contextTrimmed.messages).toBeGreaterThan(8);
  const messages = await home.messages(taskId);
  expect(messages).toHaveLength(20);
  expect(textIn(messages[0])).toBe('First');
  expect(JSON.stringify(messages[1].parts).length).toBeGreaterThan(60_000);
});

test('a result above 64 KiB is stored outside the conversation by default, and only then there is a tool to read it', async () => {
  const home = await makeAgentHome({ tools: [tool('testing', 'payload')] as never });
  const taskId = randomUUID();
  home.provider.answer(payload('c1', 60_000), payload('c2', 80_000), say('Done.'), say('Again.'));
  await home.send(taskId, 'Hi');
  await home.send(taskId, 'And?');
  const results = sent(home, 2).filter(({ role }) => role === 'tool');
  expect(results.map(({ content }) => String(content).length > 50_000)).toEqual([true, false]);
  expect(JSON.parse(String(results[1]?.content))).toMatchObject({
    resultId: expect.any(String),
    bytes: expect.any(Number),
  });
  const names = [0, 1, 2, 3].map((call) => offered(home, call).includes('read_tool_result'));
  expect(names).toEqual([false, false, true, true]);
  expect(await latestRun(home, taskId)).not.toHaveProperty('contextTrimmed');
});

test('shortens the error of a tool, which is sent to the model with each step', async () => {
  const home = await makeAgentHome({ tools: [tool('testing', 'fail')] as never });
  const message = 'no '.repeat(50_000);
  const fail = { id: 'c1', name: 'testing_fail', arguments: { message, retryable: false } };
  home.provider.answer(callTools(fail), say('Sorry.'));
  const taskId = randomUUID();
  const { body } = await home.send(taskId, 'Hi');
  const { errorText } = body.messages[0].parts[1];
  expect(errorText.length).toBeLessThan(4_100);
  expect(errorText).toMatch(/more characters\)$/);
  expect(String(sent(home, 1).at(-1)?.content).length).toBeLessThan(4_200);
});

const tooLong: ModelStep[] = [
  {
    status: 400,
    error: {
      code: 'context_length_exceeded',
      type: 'invalid_request_error',
      message: "This model's maximum context length is 4096 tokens. However, your messages resulted in 20000 tokens.",
    },
  },
];
const bytesOf = (home: AgentHome, call: number) => JSON.stringify(sent(home, call)).length;

test('shortens a conversation that the provider rejects as too long and retries once, also for the rest of the turn', async () => {
  const home = await makeAgentHome({
    ...{ enableToolResultOffload: false, maxRetries: 0 },
    tools: [tool('testing', 'payload')] as never,
  });
  const taskId = randomUUID();
  home.provider.answer(payload('c1', 60_000), tooLong, payload('c2', 100), say('Done.'));
  const { body } = await home.send(taskId, 'Hi');
  expect(textIn(body.messages[0])).toBe('Done.');
  expect(home.provider.requests).toHaveLength(4);
  expect(bytesOf(home, 1)).toBeGreaterThan(60_000);
  for (const call of [2, 3]) expect(bytesOf(home, call)).toBeLessThan(30_000);
  expect(await latestRun(home, taskId)).toMatchObject({ status: 'COMPLETED', contextTrimmed: { toolResults: 1 } });
  expect((await home.turn(taskId)).steps).toHaveLength(3);

  // The next turn may use another model, so it tries the whole conversation first.
  home.provider.answer(tooLong, tooLong);
  expect(await home.send(taskId, 'And?')).toMatchObject({ status: 502, body: { reason: 'PROVIDER_STATUS' } });
  expect(home.provider.requests).toHaveLength(6);
  expect(bytesOf(home, 4)).toBeGreaterThan(60_000);
  expect(bytesOf(home, 5)).toBeLessThan(30_000);
  expect((await latestRun(home, taskId)).error.message).toContain('maximum context length is 4096');
});

test('does not repeat a request that cannot be shortened', async () => {
  const home = await makeAgentHome();
  home.provider.answer(tooLong);
  expect((await home.send(randomUUID(), 'Hi '.repeat(20_000))).body.reason).toBe('PROVIDER_STATUS');
  expect(home.provider.requests).toHaveLength(1);
});
