// test: pglite

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { PRICED_MODEL } from '../setup/providers/modelPrices.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { type AgentHome, makeAgentHome, textIn, textOf, tool, userMessage } from '../setup/workspace/agentHome.ts';

describe('answers', () => {
  test('a message is answered when the turn has ended, and both are stored', async () => {
    const home = await makeAgentHome();
    home.provider.answer([{ reasoning: 'hm' }, ...say('Hel', 'lo')]);
    const { status, body } = await home.send(`t1${home.agentId.slice(-8)}`, 'Hi');
    expect([status, body]).toMatchObject([200, { messages: [{ role: 'assistant' }] }]);
    const taskId = body.taskId;
    expect(body.messages[0].parts).toMatchObject([
      { type: 'step-start' },
      { type: 'reasoning', text: 'hm', state: 'done' },
      { type: 'text', text: 'Hello', state: 'done' },
    ]);
    expect(await home.messages(taskId)).toMatchObject([
      { role: 'user' },
      { role: 'assistant', id: body.messages[0].id },
    ]);
    expect(await home.turn(taskId)).toMatchObject({ status: 'COMPLETED', finishReason: 'stop' });
    const [request] = home.provider.requests;
    expect(request?.body.messages).toEqual([
      { role: 'system', content: 'Be helpful.' },
      { role: 'user', content: 'Hi' },
    ]);
    expect(request?.headers.authorization).toBe('Bearer sk-test');
  });

  test('a stream sends the turn in the wire format, and ends with [DONE]', async () => {
    const home = await makeAgentHome();
    home.provider.answer(say('Hel', 'lo'));
    const turn = await home.stream(`s${home.agentId.slice(-8)}`, { message: userMessage('Hi') });
    expect(turn.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1');
    expect(await turn.done).toBe(true);
    expect(textOf(turn.chunks)).toBe('Hello');
    expect(turn.chunks.map(({ type }) => type).filter((type) => type !== 'text-delta')).toEqual([
      'start',
      'start-step',
      'text-start',
      'text-end',
      'finish-step',
      'finish',
    ]);
  });

  test('an action that the model calls is an execution, and its result goes back to the model', async () => {
    const home = await makeAgentHome({ tools: [tool('testing', 'succeed')] as never });
    home.provider.answer(
      callTools({ id: 'c1', name: 'testing_succeed', arguments: { output: { answer: '{{ 1 + 1 }}' } } }),
      say('It is done'),
    );
    const { status, body } = await home.send(`a${home.agentId.slice(-8)}`, 'Do it');
    expect([status, body.detail]).toEqual([200, undefined]);
    expect(body.messages[0].parts).toMatchObject([
      { type: 'step-start' },
      { type: 'tool-testing_succeed', toolCallId: 'c1', state: 'output-available' },
      { type: 'step-start' },
      { type: 'text', text: 'It is done' },
    ]);
    // A model's text is never evaluated as an expression.
    expect(JSON.stringify(body.messages[0].parts[1].output)).toContain('{{ 1 + 1 }}');
    const messages = home.provider.requests[1]?.body.messages;
    expect(messages?.at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'c1' });
    const call = await home.database.runToolCall.findFirstOrThrow({
      where: { toolCallId: 'c1', run: { task: { clientId: body.taskId } } },
    });
    expect(await home.read(call.executionId as string)).toMatchObject({ status: 'COMPLETED' });
  });

  test('an answer with a NUL and with a character in halves is stored and streamed', async () => {
    const home = await makeAgentHome();
    home.provider.answer(say('a\0b \ud83d', '\ude00 c\ud83d'));
    const turn = await home.stream(`nul-${home.agentId.slice(-8)}`, { message: userMessage('Hi') });
    expect(await turn.done).toBe(true);
    const [, answer] = await home.messages(`nul-${home.agentId.slice(-8)}`);
    expect([textOf(turn.chunks), textIn(answer)]).toEqual(['a\ufffdb 😀 c\ufffd', 'a\ufffdb 😀 c\ufffd']);
  });
});

describe('stops', () => {
  // Stops a turn at each moment: its message ends complete and once, and nothing happens afterwards.

  const task = (home: AgentHome) => `stop-${home.agentId.slice(-8)}`;
  const PATIENCE = { timeout: 30_000, interval: 50 };
  const payment = callTools({ id: 'c1', name: 'http_request', arguments: { body: { a: 1 } } });

  async function ended(home: AgentHome, status: string) {
    const run = await home.untilTurn(task(home), ({ finishedAt }) => finishedAt !== null);
    expect(run).toMatchObject({ status });
    const [, message, ...more] = await home.messages(task(home));
    expect(more).toEqual([]);
    return message?.parts;
  }

  test('before the model has been asked, or has said a word, nothing is stored', async () => {
    const home = await makeAgentHome();
    home.provider.answer([{ hang: true }]);
    const turn = await home.stream(task(home), { message: userMessage('Hi') });
    expect((await home.stop(task(home))).body).toEqual({ stopped: true });
    expect(await turn.done).toBe(true);
    expect(turn.chunks.map(({ type }) => type)).toEqual(['start', 'abort']);
    expect(await ended(home, 'STOPPED')).toBeUndefined();
  });

  test('in the model call: the request is aborted and its text stays', async () => {
    const home = await makeAgentHome();
    home.provider.answer([...say('Hel'), { hang: true }]);
    const turn = await home.stream(task(home), { message: userMessage('Hi') });
    await poll(() => textOf(turn.chunks), PATIENCE).toBe('Hel');
    expect((await home.stop(task(home))).body).toEqual({ stopped: true });
    const request = await home.provider.request(1);
    await request.ended;
    expect(request.aborted).toBe(true);
    expect(await turn.done).toBe(true);
    expect(await ended(home, 'STOPPED')).toMatchObject([{}, { type: 'text', text: 'Hel', state: 'done' }]);
  });

  test('in a tool, its execution is cancelled and the message says so', async () => {
    const held = await loopback(() => undefined);
    const home = await makeAgentHome({
      tools: [tool('http', 'request', { inputs: { method: 'POST', url: held.url } })] as never,
    });
    home.provider.answer(payment);
    const turn = await home.stream(task(home), { message: userMessage('Pay') });
    await poll(() => held.calls.length, PATIENCE).toBe(1);
    expect((await home.stop(task(home))).body).toEqual({ stopped: true });
    expect(await turn.done).toBe(true);
    expect(await ended(home, 'STOPPED')).toMatchObject([{}, { state: 'output-error' }]);
    const { executionId } = await home.database.runToolCall.findFirstOrThrow({
      where: { run: { task: { clientId: task(home) } } },
    });
    expect(await home.ended(String(executionId))).toMatchObject({ status: 'CANCELLED' });
    expect(held.calls).toHaveLength(1);
  });

  test('between two steps, the result of the tool stays and the model is not called again', async () => {
    let stopping: Promise<unknown> | undefined;
    let home: AgentHome | undefined;
    const { url, calls } = await loopback((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"paid":true}', () => {
        stopping = home?.stop(task(home));
      });
    });
    home = await makeAgentHome({ tools: [tool('http', 'request', { inputs: { method: 'POST', url } })] as never });
    home.provider.answer(payment, [{ hang: true }]);
    const turn = await home.stream(task(home), { message: userMessage('Pay') });
    expect(await turn.done).toBe(true);
    expect(await stopping).toMatchObject({ body: { stopped: true } });
    const parts = await ended(home, 'STOPPED');
    // The stop may have come before its result was stored.
    expect(['output-available', 'output-error']).toContain(parts[1].state);
    expect(parts.slice(2).every(({ type }: { type: string }) => type === 'step-start')).toBe(true);
    expect(calls).toHaveLength(1);
  });

  test('while a person is asked nothing runs: there is nothing to stop, and the answer still counts', async () => {
    const home = await makeAgentHome({ tools: [tool('testing', 'succeed', { policy: 'approve' })] as never });
    home.provider.answer(callTools({ id: 'c1', name: 'testing_succeed', arguments: { output: 7 } }), say('Seven.'));
    const asked = await home.send(task(home), 'Do it');
    expect((await home.stop(task(home))).body).toEqual({ stopped: false });
    expect(await home.turn(task(home))).toMatchObject({ status: 'NEEDS_APPROVAL' });
    const parts = [
      { type: 'tool-approval-response', approvalId: asked.body.messages[0].parts.at(-1).approval.id, approved: true },
    ];
    const place = `/api/agents/${home.agentId}/tasks/${task(home)}/message`;
    const { body } = await home.api('POST', place, { body: { message: { role: 'assistant', parts } } });
    expect(body.messages[0].parts.at(-1)).toMatchObject({ text: 'Seven.' });
  });
});

describe('costs', () => {
  const [inEuro, none] = [(amount: string) => ({ amount, currency: 'EUR' }), undefined];

  /** Two model calls around a tool call: 1,000 tokens in (400 cached), 10 out; then 2,000 in, 20 out. */
  const script = () => [
    [
      ...callTools({ id: randomUUID(), name: 'testing_succeed', arguments: {} }),
      { usage: { prompt: 1_000, cached: 400, completion: 10 } },
    ],
    [...say('Done'), { usage: { prompt: 2_000, completion: 20 } }],
  ];

  test('the usage of each step, turn, message and task has its cost if the model has a price', async () => {
    const home = await makeAgentHome({ model: PRICED_MODEL, tools: [tool('testing', 'succeed') as never] });
    const taskId = randomUUID();
    const read = async (expansion: string) =>
      (await home.api('GET', `/api/tasks/${taskId}?expansion=${expansion}`)).body;
    home.provider.answer(...script());
    const turn = await home.stream(taskId, { message: userMessage('Do it') });
    expect(await turn.done).toBe(true);
    const cost = inEuro('0.001128');
    expect(turn.chunks.at(-1)).toMatchObject({ type: 'finish', messageMetadata: { usage: { cost } } });
    const { latestRun, usage, messageUsage, messages, runs } = await read('latestRun,usage,messageUsage,messages,runs');
    expect(latestRun.usage).toMatchObject({ inputTokens: 3_000, cachedInputTokens: 400, outputTokens: 30, cost });
    expect([usage, messageUsage[messages[1].id]]).toEqual([latestRun.usage, latestRun.usage]);
    expect(messages[1].metadata.usage.cost).toEqual(cost);
    expect(runs).toEqual([
      {
        ...latestRun,
        messageId: messages[1].id,
        steps: [
          { step: 1, finishReason: 'tool-calls', usage: expect.objectContaining({ cost: inEuro('0.000296') }) },
          { step: 2, finishReason: 'stop', usage: expect.objectContaining({ cost: inEuro('0.000832') }) },
        ],
      },
    ]);

    home.provider.answer(...script());
    await home.send(taskId, 'Again');
    expect((await read('usage')).usage).toMatchObject({ inputTokens: 6_000, cost: inEuro('0.002256') });
  });

  test('a message that continues after an approval has the usage of all its turns, streamed and read', async () => {
    const tools = [tool('testing', 'succeed', { policy: 'approve' }) as never];
    const home = await makeAgentHome({ model: PRICED_MODEL, tools });
    const taskId = randomUUID();
    home.provider.answer(...script());
    const [asked] = (await home.send(taskId, 'Do it')).body.messages;
    const approvalId = asked.parts.at(-1).approval.id;
    const parts = [{ type: 'tool-approval-response', approvalId, approved: true }];
    const turn = await home.stream(taskId, { message: { id: asked.id, role: 'assistant', parts } });
    expect(await turn.done).toBe(true);
    const usage = { inputTokens: 3_000, cachedInputTokens: 400, outputTokens: 30, cost: inEuro('0.001128') };
    expect(turn.chunks.at(-1)).toMatchObject({ type: 'finish', messageMetadata: { usage } });
    const { body } = await home.api('GET', `/api/tasks/${taskId}?expansion=messageUsage,messages`);
    expect(body.messages[1].metadata.usage).toEqual(body.messageUsage[asked.id]);
    expect(body.messageUsage[asked.id]).toMatchObject(usage);
    expect(body.latestRun.usage).toMatchObject({ inputTokens: 2_000 });
  });

  test('a model without a price has usage alone, and a task that is priced in part has no cost', async () => {
    const home = await makeAgentHome({ tools: [tool('testing', 'succeed') as never] });
    const taskId = randomUUID();
    home.provider.answer(...script());
    await home.send(taskId, 'Do it');
    const read = async () =>
      (await home.api('GET', `/api/tasks/${taskId}?expansion=latestRun,usage,messageUsage,messages,runs`)).body;
    expect(JSON.stringify(await read())).not.toContain('cost');

    const { definition } = await home.database.agent.findUniqueOrThrow({ where: { id: home.agentId } });
    await home.database.agent.update({
      where: { id: home.agentId },
      data: { definition: { ...(definition as object), selectedModelId: PRICED_MODEL } },
    });
    home.provider.answer(...script());
    await home.send(taskId, 'Again');
    const { latestRun, usage } = await read();
    expect([latestRun.usage.cost, usage.cost]).toEqual([inEuro('0.001128'), none]);
    expect(usage.inputTokens).toBe(6_000);
  });
});
