import { expect, test } from '@jest/globals';
import { lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';
import { gate } from '../setup/jest/gate.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { type AgentHome, makeAgentHome, tool } from '../setup/workspace/agentHome.ts';
import { chatOn, shown } from '../setup/workspace/chat.ts';

// The real client of the `ai` package, without an adapter.

const id = (home: AgentHome) => `chat-${home.agentId.slice(-8)}`;
const stored = async (home: AgentHome) =>
  (await home.messages(id(home))).map(({ id: own, role, parts }) => ({ id: own, role, parts }));
const withoutMetadata = (message: unknown) => {
  const { metadata: _, ...rest } = shown(message as never);
  return rest;
};

test('text, thoughts, files and tools: the client shows the stored message', async () => {
  const home = await makeAgentHome({ tools: [tool('testing', 'succeed')] as never });
  home.provider.answer(
    [
      { reasoning: 'hm' },
      ...say('I look. '),
      ...callTools({ id: 'c1', name: 'testing_succeed', arguments: { output: 7 } }),
    ],
    say('It is ', '7.'),
  );
  const chat = chatOn(home, home.apiKey, id(home));
  const url = 'data:image/png;base64,iVBORw0KGgo=';
  await chat.sendMessage({ text: 'What is it?', files: [{ type: 'file', mediaType: 'image/png', url }] });
  expect([chat.status, chat.error]).toEqual(['ready', undefined]);
  expect(chat.messages.map(withoutMetadata)).toEqual(await stored(home));
  expect(chat.messages[1]?.parts.map(({ type }) => type)).toEqual([
    'step-start',
    'reasoning',
    'text',
    'tool-testing_succeed',
    'step-start',
    'text',
  ]);
  expect(chat.messages[1]?.metadata).toMatchObject({ usage: { outputTokens: expect.any(Number) } });
  expect(home.provider.requests[0]?.body.messages[1]?.content).toEqual([
    { type: 'image_url', image_url: { url } },
    { type: 'text', text: 'What is it?' },
  ]);
  home.provider.answer(say('Bye.'));
  await chat.sendMessage({ text: 'Thanks' });
  expect(chat.messages.map(withoutMetadata)).toEqual(await stored(home));
  expect(home.provider.requests[2]?.body.messages.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
  ]);
});

test('a call that needs approval waits, and continues when the client has answered', async () => {
  const home = await makeAgentHome({ tools: [tool('testing', 'succeed', { policy: 'approve' })] as never });
  home.provider.answer(callTools({ id: 'c1', name: 'testing_succeed', arguments: { output: 7 } }), say('It is 7.'));
  const chat = chatOn(home, home.apiKey, id(home), {
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  await chat.sendMessage({ text: 'Do it' });
  expect(await home.turn(id(home))).toMatchObject({ status: 'NEEDS_APPROVAL' });
  const part = chat.messages[1]?.parts.at(-1) as { state: string; approval: { id: string } };
  expect(part).toMatchObject({ state: 'approval-requested' });
  expect(home.provider.requests).toHaveLength(1);
  await chat.addToolApprovalResponse({ id: part.approval.id, approved: true });
  await home.untilTurn(id(home), ({ number, status }) => number === 2 && status === 'COMPLETED');
  while (chat.status !== 'ready') await new Promise((resolve) => setTimeout(resolve, 10));
  expect(chat.messages).toHaveLength(2);
  expect(chat.messages[1]?.parts).toMatchObject([
    { type: 'step-start' },
    { type: 'tool-testing_succeed', state: 'output-available', output: 7 },
    { type: 'step-start' },
    { type: 'text', text: 'It is 7.' },
  ]);
  const after = await stored(home);
  expect(after).toHaveLength(2);
  expect(after[1]?.parts).toMatchObject([
    {},
    { state: 'output-available', approval: { id: part.approval.id, approved: true } },
    {},
    { text: 'It is 7.' },
  ]);
});

test('a failure of the provider is an error of the client, and a new try replaces nothing', async () => {
  const home = await makeAgentHome();
  home.provider.answer([{ status: 400, error: { message: 'No such model.' } }], say('Now.'));
  const chat = chatOn(home, home.apiKey, id(home));
  await chat.sendMessage({ text: 'Hi' });
  expect(chat.status).toBe('error');
  expect(chat.error?.message).toMatch(/^The turn failed: PROVIDER_STATUS \(/);
  expect(await home.turn(id(home))).toMatchObject({ status: 'FAILED', code: 'PROVIDER_STATUS', finishReason: 'error' });
  await chat.regenerate();
  expect(chat.status).toBe('ready');
  expect(await stored(home)).toMatchObject([{ role: 'user' }, { role: 'assistant', parts: [{}, { text: 'Now.' }] }]);
});

test('regenerate replaces the answer; an edited message replaces all that follows', async () => {
  const home = await makeAgentHome();
  home.provider.answer(say('One.'), say('Two.'), say('Three.'));
  const chat = chatOn(home, home.apiKey, id(home));
  await chat.sendMessage({ text: 'Hi' });
  const first = chat.messages[1]?.id as string;
  await chat.regenerate({ messageId: first });
  expect(await stored(home)).toMatchObject([{ role: 'user' }, { parts: [{}, { text: 'Two.' }] }]);
  expect((await stored(home))[1]?.id).not.toBe(first);
  expect(home.provider.requests[1]?.body.messages).toHaveLength(2);
  await chat.sendMessage({ text: 'Hello', messageId: chat.messages[0]?.id as string });
  expect(await stored(home)).toMatchObject([{ parts: [{ text: 'Hello' }] }, { parts: [{}, { text: 'Three.' }] }]);
  expect(chat.messages.map(withoutMetadata)).toEqual(await stored(home));
});

test('a client that comes again receives the turn from its beginning; its own stop stops nothing', async () => {
  const home = await makeAgentHome();
  const { after, goOn } = gate();
  home.provider.answer([...say('Hel'), { after }, ...say('lo')]);
  const chat = chatOn(home, home.apiKey, id(home));
  const sending = chat.sendMessage({ text: 'Hi' });
  while (chat.messages.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  await chat.stop();
  await sending;
  const again = chatOn(home, home.apiKey, id(home));
  again.messages = [chat.messages[0] as never];
  const resuming = again.resumeStream();
  while (again.messages.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  goOn();
  await resuming;
  expect(again.messages.map(withoutMetadata)).toEqual(await stored(home));
  expect(again.messages[1]?.parts).toMatchObject([{}, { type: 'text', text: 'Hello', state: 'done' }]);
  await again.resumeStream();
  expect([again.status, again.messages.length]).toEqual(['ready', 2]);
});

test('stop aborts the provider, ends the stream and keeps the received text', async () => {
  const home = await makeAgentHome();
  home.provider.answer([...say('Hel'), { hang: true }]);
  const chat = chatOn(home, home.apiKey, id(home));
  const sending = chat.sendMessage({ text: 'Hi' });
  while (!JSON.stringify(chat.messages).includes('Hel')) await new Promise((resolve) => setTimeout(resolve, 10));
  const asked = Date.now();
  expect((await home.stop(id(home))).body).toEqual({ stopped: true });
  await (await home.provider.request(1)).ended;
  expect(Date.now() - asked).toBeLessThan(1_000);
  await sending;
  expect(chat.messages[1]?.parts).toMatchObject([{}, { text: 'Hel', state: 'done' }]);
  expect(await stored(home)).toMatchObject([{}, { parts: [{}, { text: 'Hel', state: 'done' }] }]);
  expect(await home.turn(id(home))).toMatchObject({ status: 'STOPPED' });
  expect((await home.stop(id(home))).body).toEqual({ stopped: false });
});
