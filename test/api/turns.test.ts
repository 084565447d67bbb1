// test: pglite
import { expect, test } from '@jest/globals';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { makeAgentHome, textIn, textOf, tool, userMessage } from '../setup/workspace/agentHome.ts';

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
  expect(await home.messages(taskId)).toMatchObject([{ role: 'user' }, { role: 'assistant', id: body.messages[0].id }]);
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
