import { expect, test } from '@jest/globals';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { type AgentHome, makeAgentHome, textOf, tool, userMessage } from '../setup/workspace/agentHome.ts';

// A stop at each moment of a turn: the message ends whole and once, and nothing happens any more.

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

test('between two steps, the result of the tool stays and the model is heard no more', async () => {
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
  // The stop may have come before its result was noted.
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
