import { expect, test } from '@jest/globals';
import { forgetOldChunks } from '../../prisma/store/turn/reconcileTurns.ts';
import { gate } from '../setup/jest/gate.ts';
import { poll } from '../setup/jest/poll.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { type AgentHome, makeAgentHome, textOf, tool, userMessage } from '../setup/workspace/agentHome.ts';

const task = (home: AgentHome) => `t-${home.agentId.slice(-8)}`;

test('after an approval a follower by GET receives the whole message, also where the model was asked again', async () => {
  const home = await makeAgentHome({ tools: [tool('testing', 'succeed', { policy: 'approve' })] as never });
  const { after, goOn } = gate();
  home.provider.answer(
    [{ text: 'Before. ' }, ...callTools({ id: 'c1', name: 'testing_succeed', arguments: { output: 7 } })],
    [...say('Af'), { after }, ...say('ter')],
  );
  await (await home.stream(task(home), { message: userMessage('Do it') })).done;
  const part = (await home.messages(task(home)))[1]?.parts.at(-1);
  const parts = [{ type: 'tool-approval-response', approvalId: part.approval.id, approved: true }];
  const answered = await home.stream(task(home), { message: { role: 'assistant', parts } });
  await poll(() => textOf(answered.chunks)).toBe('Af');
  const follower = await home.resume(task(home));
  await poll(() => textOf(follower.chunks)).toBe('Before. Af');
  goOn();
  for (const { done } of [answered, follower]) expect(await done).toBe(true);
  expect([textOf(answered.chunks), textOf(follower.chunks)]).toEqual(['After', 'Before. After']);
});

test('a message that is sent again long after its turn is answered by the stored message', async () => {
  const home = await makeAgentHome({ tools: [tool('testing', 'succeed')] as never });
  home.provider.answer(
    [{ text: 'Look: ' }, ...callTools({ id: 'c1', name: 'testing_succeed', arguments: { output: 7 } })],
    say('seven'),
  );
  const body = { message: userMessage('Do it', 'once') };
  const first = await home.stream(task(home), body);
  expect(await first.done).toBe(true);
  await forgetOldChunks(home.database, 0, 1_000);
  const again = await home.stream(task(home), body);
  expect(await again.done).toBe(true);
  expect(home.provider.requests).toHaveLength(2);
  expect(textOf(again.chunks)).toBe('Look: seven');
  expect(again.chunks).toContainEqual({ type: 'tool-output-available', toolCallId: 'c1', output: 7 });
  expect([again.chunks[0], again.chunks.at(-1)]).toEqual([first.chunks[0], first.chunks.at(-1)]);
});

test('a Last-Event-ID in text that the model has replaced begins the message again', async () => {
  const home = await makeAgentHome();
  const { after, goOn } = gate();
  home.provider.answer(
    [...say('Hel'), { waitMs: 300 }, { disconnect: true }],
    [...say('Good '), { after }, ...say('day')],
  );
  const turn = await home.stream(task(home), { message: userMessage('Hi') });
  expect(await turn.done).toBe(false);
  const again = await home.resume(task(home), { 'last-event-id': turn.ids.at(-1) as string });
  goOn();
  expect(await again.done).toBe(true);
  expect(again.chunks[0]?.type).toBe('start');
  expect(textOf(again.chunks)).toBe('Good day');
});

test('a follower with Last-Event-ID is broken off when the model replaces what it had received before', async () => {
  const home = await makeAgentHome();
  const broken = gate();
  const end = gate();
  home.provider.answer(
    [...say('Hel'), { waitMs: 300 }, ...say('lo'), { after: broken.after }, { disconnect: true }],
    [...say('Good '), { after: end.after }, ...say('day')],
  );
  const turn = await home.stream(task(home), { message: userMessage('Hi') });
  await poll(() => textOf(turn.chunks)).toBe('Hello');
  turn.close();
  const rest = await home.resume(task(home), { 'last-event-id': turn.ids.at(-1) as string });
  broken.goOn();
  expect(await rest.done).toBe(false);
  expect(textOf(rest.chunks)).toBe('');
  end.goOn();
});

test('the chunks of a message that waits for an approval are deleted like any others, and its followers miss nothing', async () => {
  const home = await makeAgentHome({ tools: [tool('testing', 'succeed', { policy: 'approve' })] as never });
  const { after, goOn } = gate();
  home.provider.answer(
    [{ text: 'Before. ' }, ...callTools({ id: 'c1', name: 'testing_succeed', arguments: { output: 7 } })],
    [...say('Af'), { after }, ...say('ter')],
  );
  const asking = await home.stream(task(home), { message: userMessage('Do it') });
  await asking.done;
  await forgetOldChunks(home.database, 0, 1_000);
  expect(await home.database.runChunk.count({ where: { run: { task: { clientId: task(home) } } } })).toBe(0);
  const part = (await home.messages(task(home)))[1]?.parts.at(-1);
  const parts = [{ type: 'tool-approval-response', approvalId: part.approval.id, approved: true }];
  const answered = await home.stream(task(home), { message: { role: 'assistant', parts } });
  await poll(() => textOf(answered.chunks)).toBe('Af');
  const follower = await home.resume(task(home));
  // It has part of a deleted stream. Whether more followed is unknown, so it starts again.
  const late = await home.resume(task(home), { 'last-event-id': asking.ids[0] as string });
  goOn();
  for (const { done } of [answered, follower, late]) expect(await done).toBe(true);
  expect(textOf(answered.chunks)).toBe('After');
  for (const { chunks } of [follower, late]) {
    expect([chunks[0]?.type, textOf(chunks)]).toEqual(['start', 'Before. After']);
    expect(chunks.filter(({ type }) => type === 'tool-output-available')).toEqual([
      { type: 'tool-output-available', toolCallId: 'c1', output: 7 },
    ]);
  }
});

test('a client that missed the end resumes after its last event, as long as the chunks are there', async () => {
  const home = await makeAgentHome();
  const { after, goOn } = gate();
  home.provider.answer([...say('Hel'), { after }, ...say('lo')], say('Next'));
  const turn = await home.stream(task(home), { message: userMessage('Hi') });
  await poll(() => textOf(turn.chunks)).toBe('Hel');
  turn.close();
  const last = { 'last-event-id': turn.ids.at(-1) as string };
  goOn();
  await home.untilTurn(task(home), ({ status }) => status === 'COMPLETED');
  const rest = await home.resume(task(home), last);
  expect([rest.status, await rest.done, textOf(rest.chunks)]).toEqual([200, true, 'lo']);
  expect(rest.chunks.at(-1)?.type).toBe('finish');
  expect((await home.resume(task(home))).status).toBe(204);
  const next = await home.stream(task(home), { message: userMessage('And') });
  await next.done;
  expect((await home.resume(task(home), last)).status).toBe(204);
  const end = { 'last-event-id': next.ids.at(-1) as string };
  expect((await home.resume(task(home), end)).status).toBe(200);
  await forgetOldChunks(home.database, 0, 1_000);
  expect((await home.resume(task(home), end)).status).toBe(204);
});

test('an event of the message before is none of the message that runs: it is sent from its beginning', async () => {
  const home = await makeAgentHome();
  const { after, goOn } = gate();
  home.provider.answer(say('One'), [...say('Two'), { after }]);
  const first = await home.stream(task(home), { message: userMessage('Hi') });
  await first.done;
  const running = await home.stream(task(home), { message: userMessage('And') });
  await poll(() => textOf(running.chunks)).toBe('Two');
  const resumed = await home.resume(task(home), { 'last-event-id': first.ids.at(-1) as string });
  await poll(() => textOf(resumed.chunks)).toBe('Two');
  goOn();
  expect([await resumed.done, resumed.chunks[0]?.type]).toEqual([true, 'start']);
});
