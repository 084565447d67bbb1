import { expect, test } from '@jest/globals';
import { safeValidateUIMessages } from 'ai';
import { openAttempt } from '../../prisma/store/turn/openAttempt.ts';
import { gate } from '../setup/jest/gate.ts';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { stackLog } from '../setup/stack/stackLog.ts';
import { type AgentHome, makeAgentHome, textIn, textOf, tool, userMessage } from '../setup/workspace/agentHome.ts';

const task = (home: AgentHome) => `t-${home.agentId.slice(-8)}`;

test.each([
  ['429 with Retry-After', { status: 429, headers: { 'retry-after': '1' } }],
  ['503', { status: 503 }],
  ['408', { status: 408 }],
  ['a disconnect', { disconnect: true as const }],
])('%s is tried again, and the answer is whole', async (_, step) => {
  const home = await makeAgentHome();
  home.provider.answer([step], say('Hello'));
  const turn = await home.stream(task(home), { message: userMessage('Hi') });
  expect(await turn.done).toBe(true);
  expect(textOf(turn.chunks)).toBe('Hello');
  expect(home.provider.requests).toHaveLength(2);
});

test('a broken-off answer is requested again: its text is dropped, and its followers begin again', async () => {
  const home = await makeAgentHome();
  const { after, goOn } = gate();
  home.provider.answer(
    [...say('Hel'), { waitMs: 300 }, { disconnect: true }],
    [...say('Good '), { after }, ...say('day')],
  );
  const turn = await home.stream(task(home), { message: userMessage('Hi') });
  expect(await turn.done).toBe(false);
  expect(textOf(turn.chunks)).toBe('Hel');
  const again = await home.resume(task(home));
  goOn();
  expect(await again.done).toBe(true);
  expect(textOf(again.chunks)).toBe('Good day');
  const messages = await home.messages(task(home));
  expect(textIn(messages[1])).toBe('Good day');
});

test('a step that is opened again after its end, as after a kill, keeps its text when its tool answers', async () => {
  const { after, goOn } = gate();
  const { url } = await loopback(async (_, response) => {
    await after;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"paid":true}');
  });
  const home = await makeAgentHome({ tools: [tool('http', 'request', { inputs: { method: 'POST', url } })] as never });
  const end = gate();
  home.provider.answer(
    [{ text: 'Paying. ' }, ...callTools({ id: 'c1', name: 'http_request', arguments: { body: { a: 1 } } })],
    [...say('Pa'), { after: end.after }, ...say('id')],
  );
  const first = await home.stream(task(home), { message: userMessage('Pay') });
  await poll(() => first.chunks.some(({ type }) => type === 'tool-input-available')).toBe(true);
  const { id } = await home.turn(task(home));
  expect(await openAttempt(home.database, home.workspaceId, id, 1)).toMatchObject({ attempt: 2 });
  goOn();
  await poll(() => textOf(first.chunks)).toBe('Paying. Pa');
  const second = await home.resume(task(home));
  end.goOn();
  for (const { done, chunks } of [first, second]) {
    expect(await done).toBe(true);
    expect(textOf(chunks)).toBe('Paying. Paid');
  }
  expect(textIn((await home.messages(task(home)))[1])).toBe('Paying. Paid');
});

test('a stream that ends without a finish reason is no answer', async () => {
  const home = await makeAgentHome({ maxRetries: 0 });
  home.provider.answer([...say('Hel'), { status: 500 }]);
  const { status, body } = await home.send(task(home), 'Hi');
  expect([status, body.code]).toEqual([502, 'TURN_FAILED']);
  expect(textIn((await home.messages(task(home)))[1])).toBe('Hel');
});

test('maxRetries is how often: 0 is one call, and other 4xx are never tried again', async () => {
  const home = await makeAgentHome({ maxRetries: 1 });
  home.provider.answer([{ status: 500 }], [{ status: 500 }]);
  expect((await home.send(task(home), 'Hi')).body).toMatchObject({ code: 'TURN_FAILED', reason: 'PROVIDER_STATUS' });
  expect(home.provider.requests).toHaveLength(2);
  home.provider.answer([{ status: 401 }]);
  const refused = await home.send(task(home), 'Hi');
  const { requestId, runId, reason, detail } = refused.body;
  expect(reason).toBe('PROVIDER_UNAUTHENTICATED');
  expect(detail).toBe('The turn failed: PROVIDER_UNAUTHENTICATED (the model provider rejected the API key)');
  // Callers and operators see the reason, but not the provider's text, which may quote its input.
  await poll(() => stackLog(requestId)).toContainEqual(
    expect.objectContaining({ msg: 'TURN_FAILED', reason, runId, taskId: task(home) }),
  );
  expect(home.provider.requests).toHaveLength(3);
});

test('a content filter ends the turn with its reason', async () => {
  const home = await makeAgentHome();
  home.provider.answer([...say('I'), { finish: 'content_filter' }]);
  const turn = await home.stream(task(home), { message: userMessage('Hi') });
  await turn.done;
  expect(turn.chunks.at(-1)).toMatchObject({ type: 'finish', finishReason: 'content-filter' });
  expect(await home.turn(task(home))).toMatchObject({ status: 'COMPLETED', finishReason: 'content-filter' });
});

test('the model receives the errors of invalid arguments and unknown tools, and corrects them', async () => {
  const home = await makeAgentHome({ tools: [tool('testing', 'wait'), tool('testing', 'fail')] as never });
  home.provider.answer(
    callTools(
      { id: 'c1', name: 'nothing', arguments: {} },
      { id: 'c2', name: 'testing_wait', arguments: '{"ms"' },
      { id: 'c3', name: 'testing_wait', arguments: { ms: 'long' } },
      { id: 'c4', name: 'testing_fail', arguments: { message: 'as asked', retryable: false } },
    ),
    say('Sorry.'),
  );
  const { body } = await home.send(task(home), 'Hi');
  expect(textIn(body.messages[0])).toBe('Sorry.');
  const results = home.provider.requests[1]?.body.messages.filter(({ role }) => role === 'tool');
  expect(results?.map(({ tool_call_id, content }) => [tool_call_id, content]).sort()).toEqual([
    ['c1', expect.stringContaining('There is no tool "nothing"')],
    ['c2', expect.stringContaining('not a JSON object')],
    ['c3', expect.stringContaining('ms')],
    ['c4', expect.stringContaining('as asked')],
  ]);
});

test('tools run side by side, and only as often as maxToolRoundtrips says', async () => {
  const home = await makeAgentHome({ maxToolRoundtrips: 1, tools: [tool('testing', 'wait')] as never });
  const wait = (id: string) => ({ id, name: 'testing_wait', arguments: { ms: 3_000 } });
  home.provider.answer(callTools(wait('c1'), wait('c2'), wait('c3')), say('Done.'));
  const { body } = await home.send(task(home), 'Hi');
  expect(textIn(body.messages[0])).toBe('Done.');
  const calls = await home.database.runToolCall.findMany({ where: { run: { task: { clientId: task(home) } } } });
  const begins = calls.map(({ createdAt }) => createdAt.getTime());
  const ends = calls.map(({ finishedAt }) => finishedAt?.getTime() ?? 0);
  expect(Math.max(...ends) - Math.min(...begins)).toBeLessThan(8_900);
  expect(home.provider.requests.map(({ body: { tool_choice } }) => tool_choice)).toEqual([undefined, 'none']);
});

test('with the policy deny the model receives a refusal, and nothing runs', async () => {
  const home = await makeAgentHome({ tools: [tool('testing', 'succeed', { policy: 'deny' })] as never });
  home.provider.answer(callTools({ id: 'c1', name: 'testing_succeed', arguments: {} }), say('I may not.'));
  const { body } = await home.send(task(home), 'Hi');
  const reason = "The agent's policy denies this call";
  const approval = { id: 'approve-c1', approved: false, reason };
  expect(body.messages[0].parts[1]).toMatchObject({ state: 'output-denied', approval });
  const content = `Not allowed: ${reason}`;
  expect(home.provider.requests[1]?.body.messages.at(-1)).toMatchObject({ role: 'tool', content });
  expect((await home.api('GET', '/api/executions')).body).toEqual([]);
  const { messages } = (await home.api('GET', `/api/tasks/${task(home)}?expansion=messages`)).body;
  expect(await safeValidateUIMessages({ messages })).toMatchObject({ success: true });
});

test('an approval is refused by plain REST; the next message denies unanswered ones', async () => {
  const home = await makeAgentHome({ tools: [tool('testing', 'succeed', { policy: 'approve' })] as never });
  const ask = callTools({ id: 'c1', name: 'testing_succeed', arguments: {} });
  home.provider.answer(
    ask,
    say('Then not.'),
    callTools({ id: 'c2', name: 'testing_succeed', arguments: {} }),
    say('Well.'),
  );
  const asked = await home.send(task(home), 'Hi');
  const { approval } = asked.body.messages[0].parts[1];
  const answer = (approvalId: string) => ({
    message: {
      role: 'assistant',
      parts: [{ type: 'tool-approval-response', approvalId, approved: false, reason: 'too dear' }],
    },
  });
  const place = `/api/agents/${home.agentId}/tasks/${task(home)}/message`;
  expect((await home.api('POST', place, { body: answer('nothing') })).body.code).toBe('VALIDATION_FAILED');
  const answered = await home.api('POST', place, { body: answer(approval.id) });
  expect(answered.body.messages[0]).toMatchObject({ id: asked.body.messages[0].id });
  expect(textIn(answered.body.messages[0])).toBe('Then not.');
  expect(home.provider.requests[1]?.body.messages.at(-1)).toMatchObject({ content: 'Not allowed: too dear' });
  expect((await home.api('POST', place, { body: answer(approval.id) })).status).toBe(409);

  await home.send(task(home), 'Again');
  expect(await home.turn(task(home))).toMatchObject({ status: 'NEEDS_APPROVAL' });
  expect(textIn((await home.send(task(home), 'Never mind')).body.messages[0])).toBe('Well.');
  const unanswered = home.provider.requests[3]?.body.messages.find(({ tool_call_id }) => tool_call_id === 'c2');
  expect(unanswered).toMatchObject({ content: expect.stringContaining('Not allowed') });
});

test('twenty messages at once are answered one after the other, in order', async () => {
  const home = await makeAgentHome();
  home.provider.answerBy(({ body }) => say(`to ${body.messages.at(-1)?.content}`));
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => home.send(task(home), `message ${n}`)));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  answers.forEach(({ body }, n) => {
    expect(textIn(body.messages[0])).toBe(`to message ${n}`);
  });
  const messages = await home.messages(task(home));
  expect(messages.map(({ role }) => role)).toEqual(
    Array.from({ length: 40 }, (_, n) => (n % 2 ? 'assistant' : 'user')),
  );
  for (let n = 0; n < 40; n += 2) expect(textIn(messages[n + 1])).toBe(`to ${textIn(messages[n])}`);
  // Each turn has seen everything before it, and nothing after it.
  const seen = home.provider.requests.map(({ body }) => body.messages.length);
  expect(seen).toEqual(Array.from({ length: 20 }, (_, n) => 2 + 2 * n));
});

test('a message to a task that streams attaches; a stop before the first token keeps nothing', async () => {
  const home = await makeAgentHome();
  home.provider.answer([{ hang: true }]);
  const first = await home.stream(task(home), { message: userMessage('Hi', 'one') });
  const second = await home.stream(task(home), { message: userMessage('Ho', 'two') });
  // The header shows a client that the response belongs to another message.
  expect([first, second].map(({ headers }) => headers.get('x-turn-attached'))).toEqual([null, 'true']);
  const request = await home.provider.request(1);
  const { id } = await home.turn(task(home));
  expect((await home.stop(task(home), { activeStreamId: task(home) })).body).toEqual({ stopped: false });
  const asked = Date.now();
  expect((await home.stop(task(home), { activeStreamId: id })).body).toEqual({ stopped: true });
  await request.ended;
  expect([request.aborted, Date.now() - asked < 1_000]).toEqual([true, true]);
  for (const turn of [first, second]) {
    expect(await turn.done).toBe(true);
    expect(turn.chunks.map(({ type }) => type)).toEqual(['start', 'abort']);
  }
  expect((await home.messages(task(home))).map(({ id: own }) => own)).toEqual(['one']);
  expect((await home.resume(task(home))).status).toBe(204);
});

test('a stream with Last-Event-ID continues after that event', async () => {
  const home = await makeAgentHome();
  const { after, goOn } = gate();
  home.provider.answer([...say('Hel'), { after }, ...say('lo')]);
  const turn = await home.stream(task(home), { message: userMessage('Hi') });
  while (textOf(turn.chunks) !== 'Hel') await new Promise((resolve) => setTimeout(resolve, 10));
  turn.close();
  const rest = await home.resume(task(home), { 'last-event-id': turn.ids.at(-1) as string });
  goOn();
  expect(await rest.done).toBe(true);
  expect(textOf(rest.chunks)).toBe('lo');
});

test('a message that is there already is not taken twice', async () => {
  const home = await makeAgentHome();
  home.provider.answer(say('Hello'));
  const message = userMessage('Hi', 'once');
  const place = (agentId: string) => `/api/agents/${agentId}/tasks/${task(home)}/message`;
  const first = await home.api('POST', place(home.agentId), { body: { message } });
  const again = await home.api('POST', place(home.agentId), { body: { message } });
  expect(again.body).toEqual(first.body);
  expect(home.provider.requests).toHaveLength(1);
  const text = await home.api('POST', place(home.agentId), { body: { message }, headers: { accept: 'text/plain' } });
  expect(text.body).toBe('Hello');
});
