import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { type Api, api } from '../setup/api/client.ts';
import { eventsOf } from '../setup/api/events.ts';
import { gate } from '../setup/jest/gate.ts';
import { poll } from '../setup/jest/poll.ts';
import { say } from '../setup/providers/modelScript.ts';
import { makeAgentHome, readTurn, textOf, userMessage } from '../setup/workspace/agentHome.ts';
import { keyOf } from '../setup/workspace/grants.ts';
import { question } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';
import { newMember } from '../setup/workspace/people.ts';

// A heartbeat also checks the stream, every ten minutes here (stack.ts), so a stream that ends earlier was notified.
// Production heartbeats are more frequent and would prove nothing.

/** Follows an execution. `ended` resolves to the names of all events when the server ends the stream. */
async function follow(call: Api, executionId: string) {
  const events = eventsOf(call, executionId);
  const first = (await events.next()).value;
  const ended = (async () => {
    const names: string[] = [];
    for await (const { event } of events) if (event !== 'heartbeat') names.push(event);
    return names;
  })();
  return { first, ended };
}

/** A model that sends the second half of its answer on request. */
function halves() {
  const { after, goOn } = gate();
  return { steps: [...say('Hel'), { after }, ...say('lo')], goOn };
}

const said = (message: { parts: { type: string; text?: string }[] } | undefined) =>
  message?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');

test('a revoked key no longer follows an execution, which continues', async () => {
  const home = await makeHome();
  const executionId = await home.execute(await home.deploy({ nodes: [question('ask')] }));
  await home.asked(executionId, 'ask');
  const [revoked, stays] = [await keyOf(home, 'executions:read'), await keyOf(home, 'executions:read')];
  const [one, other] = [await follow(revoked.call, executionId), await follow(stays.call, executionId)];
  expect(one.first).toMatchObject({ event: 'execution.progress', data: { status: 'NEEDS_INPUT' } });
  expect((await home.api('DELETE', `/api/api-keys/${revoked.id}`)).status).toBe(200);
  expect(await one.ended).toEqual([]);
  await home.submit(executionId, 'ask', { answer: 'x' });
  expect((await home.ended(executionId)).status).toBe('COMPLETED');
  expect((await other.ended).at(-1)).toBe('execution.finished');
});

test('the secret that a rotation replaces follows an execution no longer, and one with time left does', async () => {
  const home = await makeHome();
  const executionId = await home.execute(await home.deploy({ nodes: [question('ask')] }));
  await home.asked(executionId, 'ask');
  const { id, call } = await keyOf(home, 'executions:read');
  const replaced = await follow(call, executionId);
  const rotate = (graceMs: number) => home.api('POST', `/api/api-keys/${id}/rotate`, { body: { graceMs } });
  const { body } = await rotate(0);
  expect(await replaced.ended).toEqual([]);
  const before = await follow(api(home.url, body.apiKey), executionId);
  const after = await follow(api(home.url, (await rotate(600_000)).body.apiKey), executionId);
  await home.submit(executionId, 'ask', { answer: 'x' });
  for (const { ended } of [before, after]) expect((await ended).at(-1)).toBe('execution.finished');
});

test('a revoked grant ends the stream of a turn, which continues; nobody can follow, resume or stop it with the grant', async () => {
  const home = await makeAgentHome();
  const { steps, goOn } = halves();
  home.provider.answer(steps);
  const { id, call } = await keyOf(home, 'agents:use');
  const grants = `/api/agents/${home.agentId}/grants`;
  const granted = await home.api('POST', grants, { body: { subject: { type: 'apiKey', id } } });
  const taskId = randomUUID();
  const path = `/api/agents/${home.agentId}/tasks/${taskId}/stream-message`;
  const turn = await readTurn({ api: call }, 'POST', path, { body: { message: userMessage('Hi') } });
  const reader = await home.resume(taskId);
  for (const { chunks } of [turn, reader]) await poll(() => textOf(chunks)).toBe('Hel');
  expect((await home.api('DELETE', `${grants}/${granted.body.id}`)).status).toBe(200);
  expect(await turn.done).toBe(false);
  expect((await call('GET', path)).status).toBe(404);
  expect((await call('POST', `${path}/stop`, { body: {} })).status).toBe(404);
  goOn();
  expect(await reader.done).toBe(true);
  expect((await home.untilTurn(taskId, ({ status }) => status !== 'RUNNING')).status).toBe('COMPLETED');
  expect([textOf(turn.chunks), textOf(reader.chunks)]).toEqual(['Hel', 'Hello']);
  expect(said((await home.messages(taskId)).at(-1))).toBe('Hello');
});

test('a removed person no longer follows executions and turns, which continue', async () => {
  const home = await makeAgentHome();
  const { steps, goOn } = halves();
  home.provider.answer(steps);
  const { apiKey, url } = home;
  const person = await newMember({ apiKey, url }, 'builder');
  const executionId = await home.execute(await home.deploy({ nodes: [question('ask')] }));
  await home.asked(executionId, 'ask');
  const execution = await follow(person.call, executionId);
  const taskId = randomUUID();
  const path = `/api/agents/${home.agentId}/tasks/${taskId}/stream-message`;
  const turn = await readTurn({ api: person.call }, 'POST', path, { body: { message: userMessage('Hi') } });
  await poll(() => textOf(turn.chunks)).toBe('Hel');
  expect((await home.api('DELETE', `/api/workspace/users/${person.id}`)).status).toBe(200);
  expect([await execution.ended, await turn.done]).toEqual([[], false]);
  expect((await person.call('GET', path)).status).toBe(401);
  goOn();
  await home.submit(executionId, 'ask', { answer: 'x' });
  expect((await home.ended(executionId)).status).toBe('COMPLETED');
  expect((await home.untilTurn(taskId, ({ status }) => status !== 'RUNNING')).status).toBe('COMPLETED');
});
