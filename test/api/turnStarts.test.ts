// test: long
import { expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { acceptTurn } from '../../prisma/store/turn/acceptTurn.ts';
import { gate } from '../setup/jest/gate.ts';
import { poll } from '../setup/jest/poll.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { deleteInEngine, stackTemporal } from '../setup/stack/temporal.ts';
import { type AgentHome, makeAgentHome, textOf, tool, userMessage } from '../setup/workspace/agentHome.ts';
import { grant, keyOf } from '../setup/workspace/grants.ts';

const task = (home: AgentHome) => `t-${home.agentId.slice(-8)}`;
const PATIENCE = { timeout: 40_000, interval: 200 };

/** Writes only the rows, like a process that dies before it calls the engine. */
async function accept(home: AgentHome, text: string): Promise<string> {
  const runId = v7();
  const message = { id: v7(), parts: userMessage(text).parts };
  const { outcome } = await acceptTurn(
    home.database,
    home.workspaceId,
    { agentId: home.agentId, taskId: task(home), runId },
    { kind: 'message', message, replaces: false, messageId: v7(), queues: true, requestId: 'r', granted: false },
  );
  expect(outcome).toBe('accepted');
  return runId;
}

test('a turn whose start was lost is made up for, and the turns behind it follow', async () => {
  const home = await makeAgentHome();
  home.provider.answerBy(({ body }) => say(`to ${body.messages.at(-1)?.content}`));
  const runs = [await accept(home, 'one'), await accept(home, 'two'), await accept(home, 'three')];
  const statuses = async () =>
    (await home.database.taskRun.findMany({ where: { id: { in: runs } } })).map(({ status }) => status);
  await poll(statuses, PATIENCE).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED']);
  const texts = (await home.messages(task(home))).map(({ parts }) => parts.at(-1).text);
  expect(texts).toEqual(['one', 'to one', 'two', 'to two', 'three', 'to three']);
});

test('the same message under one Idempotency-Key is one turn, and its stream again; another message is 409', async () => {
  const home = await makeAgentHome();
  const { goOn, after } = gate();
  home.provider.answer([...say('Hel'), { after }, ...say('lo')]);
  const send = (text: string) =>
    home.stream(task(home), { message: userMessage(text) }, { 'idempotency-key': task(home) });
  const turns = [await send('Hi'), await send('Hi')];
  expect((await send('Hello')).status).toBe(409);
  goOn();
  for (const turn of turns) {
    expect([turn.status, await turn.done, textOf(turn.chunks)]).toEqual([200, true, 'Hello']);
  }
  const again = await send('Hi');
  expect([await again.done, textOf(again.chunks)]).toEqual([true, 'Hello']);
  expect(home.provider.requests).toHaveLength(1);
  expect((await home.messages(task(home))).map(({ role }) => role)).toEqual(['user', 'assistant']);
});

/** Starts a turn that hangs after its first text, with a queued message whose answer is `Next.` */
async function hangingTurn(home: AgentHome) {
  home.provider.answer([...say('Hel'), { hang: true }], say('Next.'));
  const turn = await home.stream(task(home), { message: userMessage('Hi') });
  await poll(() => textOf(turn.chunks), PATIENCE).toBe('Hel');
  const { id } = await home.turn(task(home));
  const behind = home.send(task(home), 'And?');
  await poll(async () => (await home.turn(task(home))).status, PATIENCE).toBe('QUEUED');
  return { turn, id, behind };
}

/** Simulates that the reconciler has not checked the turn for a while. */
function notLookedAt(home: AgentHome, id: string) {
  const reconciledAt = new Date(Date.now() - 60_000);
  return home.database.taskRun.update({ where: { id }, data: { reconciledAt } });
}

test('a turn that is terminated in the engine keeps its message, fails with that reason, and the next one runs', async () => {
  const home = await makeAgentHome();
  const { turn, id, behind } = await hangingTurn(home);
  await (await stackTemporal()).workflow.getHandle(id).terminate();
  await notLookedAt(home, id);
  expect(await turn.done).toBe(true);
  expect(turn.chunks).toContainEqual({ type: 'error', errorText: 'The turn failed: TERMINATED' });
  expect((await behind).body.messages[0].parts.at(-1).text).toBe('Next.');
  const ended = await home.database.taskRun.findUnique({ where: { id } });
  expect(ended).toMatchObject({ status: 'FAILED', code: 'TERMINATED', finishReason: 'error' });
  const messages = await home.messages(task(home));
  expect(messages.map(({ parts }) => parts.at(-1).text)).toEqual(['Hi', 'Hel', 'And?', 'Next.']);
});

test('a turn that was terminated in the engine and is then stopped ends, and the next one runs', async () => {
  const home = await makeAgentHome();
  const { id, behind } = await hangingTurn(home);
  await (await stackTemporal()).workflow.getHandle(id).terminate();
  await home.stop(task(home), { activeStreamId: id });
  expect((await behind).body.messages[0].parts.at(-1).text).toBe('Next.');
  expect((await home.database.taskRun.findUnique({ where: { id } }))?.status).toBe('STOPPED');
});

test.each(['left alone', 'stopped'])(
  'a turn whose workflow is gone from the engine and that is %s ends, and the next one runs',
  async (how) => {
    const home = await makeAgentHome();
    const { id, behind } = await hangingTurn(home);
    await deleteInEngine(id);
    if (how === 'stopped') await home.stop(task(home), { activeStreamId: id });
    else await notLookedAt(home, id);
    expect((await behind).body.messages[0].parts.at(-1).text).toBe('Next.');
    const ended = await home.database.taskRun.findUnique({ where: { id } });
    expect(ended).toMatchObject(how === 'stopped' ? { status: 'STOPPED' } : { status: 'FAILED', code: 'ENGINE_ENDED' });
  },
);

test('no message, no argument and no result is in a history', async () => {
  const home = await makeAgentHome({ instructions: 'secretInstruction', tools: [tool('testing', 'succeed')] as never });
  home.provider.answer(
    [
      ...say('secretText'),
      ...callTools({ id: 'c1', name: 'testing_succeed', arguments: { output: 'secretArgument' } }),
    ],
    say('secretAnswer'),
  );
  const { status } = await home.send(task(home), 'secretMessage');
  expect(status).toBe(200);
  const call = await home.database.runToolCall.findFirstOrThrow({ where: { run: { task: { clientId: task(home) } } } });
  for (const workflowId of [call.runId, call.executionId as string]) {
    const history = await (await stackTemporal()).workflow.getHandle(workflowId).fetchHistory();
    const text = JSON.stringify(history, (_, value) =>
      value?.type === 'Buffer' || value instanceof Uint8Array ? Buffer.from(value.data ?? value).toString() : value,
    );
    expect(text).toContain(workflowId);
    expect(text).not.toMatch(/secret(Instruction|Text|Argument|Answer|Message)/);
  }
});

test('a caller with only agents:use is limited by its grant: no grant is 404, its cap is 429, attaching costs nothing', async () => {
  const home = await makeAgentHome();
  home.provider.answer([...say('Hel'), { hang: true }], say('Two'));
  const { id, call } = await keyOf(home, 'agents:use');
  const send = (taskId: string) =>
    call('POST', `/api/agents/${home.agentId}/tasks/${taskId}/stream-message`, {
      body: { message: userMessage('Hi') },
    });
  expect((await send(task(home))).status).toBe(404);
  await grant(home, home.agentId, { apiKeyId: id }, { hourlyMessageCap: 1 });
  const first = await send(task(home));
  expect(first.status).toBe(200);
  // The turn is running, so the message attaches to it and does not count.
  expect((await send(task(home))).status).toBe(200);
  const capped = await send(`${task(home)}-2`);
  expect([capped.status, capped.body.code]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(capped.headers.get('retry-after'))).toBeGreaterThan(3_000);
  expect(await home.database.task.count({ where: { agentId: home.agentId } })).toBe(1);
  const { key: _, call: other } = await keyOf(home, 'agents:use');
  expect((await other('GET', `/api/agents/${home.agentId}/tasks/${task(home)}/stream-message`)).status).toBe(404);
  expect((await home.stop(task(home))).body).toEqual({ stopped: true });
});
