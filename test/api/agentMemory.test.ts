import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { deleteOldFacts } from '../../prisma/store/memory/facts.ts';
import { api } from '../setup/api/client.ts';
import { poll } from '../setup/jest/poll.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { type AgentHome, makeAgentHome, userMessage } from '../setup/workspace/agentHome.ts';
import { scriptAgents } from '../setup/workspace/agentScripts.ts';
import { grant, keyOf } from '../setup/workspace/grants.ts';

const DAY_MS = 86_400_000;

interface Fact {
  id: string;
  fact: string;
  rememberedAt: string;
}

async function using(
  home: AgentHome,
  name: string,
  input: object,
  { apiKey = home.apiKey, taskId = randomUUID() } = {},
) {
  home.provider.answer(callTools({ id: `c-${randomUUID()}`, name, arguments: input }), say('Done'));
  const path = `/api/agents/${home.agentId}/tasks/${taskId}/message`;
  const sent = await api(home.url, apiKey)('POST', path, { body: { message: userMessage('Go on') } });
  expect(sent.status).toBe(200);
  const result = home.provider.requests.at(-1)?.body.messages.findLast(({ role }) => role === 'tool')?.content;
  return String(result);
}

async function grantOnly(home: AgentHome): Promise<string> {
  const { id, key } = await keyOf(home, 'agents:use');
  await grant(home, home.agentId, { apiKeyId: id });
  return key;
}

const remember = (home: AgentHome, fact: string, more = {}) => using(home, 'remember', { fact }, more);
const recall = async (home: AgentHome, input: object = {}, more = {}): Promise<string[]> =>
  (JSON.parse(await using(home, 'recall', input, more)) as { facts: Fact[] }).facts.map(({ fact }) => fact);

test('facts outlive a task, match by words first, are stored once, and can be forgotten', async () => {
  const home = await makeAgentHome({ memoryEnabled: true });
  await remember(home, 'Grace likes tea.');
  await remember(home, 'The invoices of Grace go to Paris.');
  await remember(home, '  Grace likes tea.  ');
  const names = home.provider.requests[0]?.body.tools?.map(({ function: { name } }) => name);
  expect(names).toEqual(['remember', 'recall', 'forget']);
  expect(await recall(home)).toEqual(['Grace likes tea.', 'The invoices of Grace go to Paris.']);
  expect(await recall(home, { query: 'Where to? Paris & "invoices" | !tea', limit: 1 })).toEqual([
    'The invoices of Grace go to Paris.',
  ]);
  expect(await recall(home, { query: '!!' })).toHaveLength(2);
  const { facts } = JSON.parse(await using(home, 'recall', { query: 'tea' })) as { facts: [Fact] };
  expect(Math.abs(Date.parse(facts[0].rememberedAt) - Date.now())).toBeLessThan(60_000);
  expect(JSON.parse(await using(home, 'forget', { id: facts[0].id }))).toEqual({ forgotten: true });
  expect(JSON.parse(await using(home, 'forget', { id: facts[0].id }))).toEqual({ forgotten: false });
  expect(await recall(home)).toEqual(['The invoices of Grace go to Paris.']);
});

test('limits arguments and the number of facts', async () => {
  const home = await makeAgentHome({ memoryEnabled: true });
  expect(await remember(home, 'x'.repeat(1_001))).toContain('fact: must NOT have more than 1000 characters');
  expect(await remember(home, '  ')).toContain('fact: must match pattern');
  expect(await using(home, 'recall', { limit: 51 })).toContain('limit: must be <= 50');
  expect(await using(home, 'forget', { id: 'all' })).toContain('id: must match format');
  const { workspaceId, agentId, database } = home;
  const digest = (index: number) => Buffer.from(String(index));
  await database.agentMemory.createMany({
    data: Array.from({ length: 200 }, (_, index) => ({
      ...{ id: randomUUID(), workspaceId, agentId, fact: `Fact ${index}`, digest: digest(index) },
      apiKeyId: null,
    })),
  });
  // These facts have the scope agent; a user's own facts are counted separately.
  expect(await remember(home, 'Mine')).toContain('"fact":"Mine"');
  await database.agentMemory.deleteMany({ where: { agentId } });
  const { apiKeyId } = await ownerOf(home);
  await database.agentMemory.createMany({
    data: Array.from({ length: 200 }, (_, index) => ({
      ...{ id: randomUUID(), workspaceId, agentId, apiKeyId, fact: `Fact ${index}`, digest: digest(index) },
    })),
  });
  expect(await remember(home, 'One too many')).toBe('Error: 200 facts are already stored: forget some of them first');
});

async function ownerOf(home: AgentHome): Promise<{ apiKeyId: string | null }> {
  const taskId = randomUUID();
  home.provider.answer(say('Hello'));
  await home.send(taskId, 'Hi');
  const { createdByApiKeyId } = await home.database.task.findFirstOrThrow({ where: { clientId: taskId } });
  return { apiKeyId: createdByApiKeyId };
}

test.each(['user', 'agent'] as const)('scope %s decides who reads which facts', async (memoryScope) => {
  const home = await makeAgentHome({ memoryEnabled: true, memoryScope });
  const { key: other } = await keyOf(home, 'agents:read', 'agents:use');
  const [one, two] = [await grantOnly(home), await grantOnly(home)];
  await remember(home, 'Of the builder');
  await remember(home, 'Of another key', { apiKey: other });
  await remember(home, 'Of one', { apiKey: one });
  await remember(home, 'Of two', { apiKey: two });
  const all = ['Of another key', 'Of the builder'];
  expect(await recall(home)).toEqual(memoryScope === 'agent' ? all : ['Of the builder']);
  expect(await recall(home, {}, { apiKey: other })).toEqual(memoryScope === 'agent' ? all : ['Of another key']);
  expect(await recall(home, {}, { apiKey: one })).toEqual(['Of one']);
  expect(await recall(home, {}, { apiKey: two })).toEqual(['Of two']);
  const { id } = await home.database.agentMemory.findFirstOrThrow({
    where: { fact: 'Of the builder', agentId: home.agentId },
  });
  expect(JSON.parse(await using(home, 'forget', { id }, { apiKey: one }))).toEqual({ forgotten: false });
  expect(await recall(home)).toContain('Of the builder');
});

test('another agent does not share its memory, and a task without a user has none', async () => {
  const home = await makeAgentHome({ memoryEnabled: true });
  await remember(home, 'Of this agent');
  const otherAgent = Object.assign(Object.create(home), { agentId: await home.agent() }) as AgentHome;
  expect(await recall(otherAgent)).toEqual([]);
  const taskId = randomUUID();
  await recall(home, {}, { taskId });
  await home.database.task.updateMany({ where: { clientId: taskId }, data: { createdByApiKeyId: null } });
  expect(await using(home, 'recall', {}, { taskId })).toContain('belongs to no user');
});

test('after memoryRetentionDays a fact is no longer recalled, then deleted; without the setting it stays', async () => {
  const home = await makeAgentHome({ memoryEnabled: true, memoryRetentionDays: 3 });
  const kept = Object.assign(Object.create(home), {
    agentId: await home.agent({ memoryRetentionDays: null }),
  }) as AgentHome;
  for (const each of [home, kept]) {
    await remember(each, 'Old');
    await remember(each, 'New');
    await home.database.agentMemory.updateMany({
      where: { agentId: each.agentId, fact: 'Old' },
      data: { updatedAt: new Date(Date.now() - 4 * DAY_MS) },
    });
  }
  expect([await recall(home), await recall(kept)]).toEqual([['New'], ['New', 'Old']]);
  await deleteOldFacts(home.database, 1_000);
  const facts = (agentId: string) => home.database.agentMemory.count({ where: { agentId } });
  // Either this call or the reconciler has deleted it.
  await poll(() => facts(home.agentId)).toBe(1);
  expect(await facts(kept.agentId)).toBe(2);
  await remember(home, 'Old');
  expect(await recall(home)).toEqual(['Old', 'New']);
});

test('facts are deleted with their agent, and with their key', async () => {
  const home = await makeAgentHome({ memoryEnabled: true });
  await remember(home, 'Of the key');
  const one = await grantOnly(home);
  await remember(home, 'Of one', { apiKey: one });
  const task = await home.database.task.findFirstOrThrow({
    where: { agentId: home.agentId },
    orderBy: { createdAt: 'desc' },
  });
  await home.database.apiKey.delete({ where: { id: task.createdByApiKeyId as string } });
  const facts = () => home.database.agentMemory.findMany({ where: { agentId: home.agentId } });
  expect((await facts()).map(({ fact }) => fact)).toEqual(['Of the key']);
  await home.database.agent.delete({ where: { id: home.agentId } });
  expect(await facts()).toEqual([]);
});

test('callers with agents:write read and delete all facts, others their own', async () => {
  const home = await makeAgentHome({ memoryEnabled: true, memoryScope: 'agent' });
  const reader = await keyOf(home, 'agents:read', 'agents:use');
  const { id: grantedId, key, call } = await keyOf(home, 'agents:use');
  await grant(home, home.agentId, { apiKeyId: grantedId });
  const stranger = await keyOf(home, 'agents:use');
  await remember(home, 'Of all');
  await remember(home, 'Of the granted', { apiKey: key });
  const path = `/api/agents/${home.agentId}/memories`;
  const all = await home.api('GET', path);
  expect(all.body).toMatchObject([
    { fact: 'Of the granted', agentId: home.agentId, subject: { type: 'apiKey', id: grantedId } },
    { fact: 'Of all', subject: null },
  ]);
  const [own, shared] = all.body;
  expect((await call('GET', path)).body).toEqual([own]);
  expect((await reader.call('GET', path)).body).toEqual([]);
  expect((await stranger.call('GET', path)).status).toBe(404);
  for (const other of [call, reader.call, stranger.call]) {
    expect((await other('DELETE', `${path}/${shared.id}`)).status).toBe(404);
  }
  expect((await call('DELETE', `${path}/${own.id}`)).body).toEqual({ id: own.id, deleted: true });
  expect((await call('DELETE', `${path}/${own.id}`)).status).toBe(404);
  expect((await home.api('DELETE', `${path}/${shared.id}`)).body).toEqual({ id: shared.id, deleted: true });
  expect(await recall(home)).toEqual([]);
});

test('a sub-agent remembers facts for the person of the calling conversation', async () => {
  const home = await makeAgentHome({ memoryEnabled: true, memoryScope: 'agent' });
  const clerk = await home.agent({ instructions: 'clerk' });
  const boss = await home.agent({ instructions: 'boss', subAgentIds: [clerk] });
  const { id, key } = await keyOf(home, 'agents:use');
  await grant(home, boss, { apiKeyId: id });
  scriptAgents(home, {
    boss: [callTools({ id: 'b', name: `agent_${clerk}`, arguments: { message: 'Note it' } }), say('Done')],
    clerk: [callTools({ id: 'c', name: 'remember', arguments: { fact: 'Noted by the granted' } }), say('Noted')],
  });
  const path = `/api/agents/${boss}/tasks/${randomUUID()}/message`;
  expect((await api(home.url, key)('POST', path, { body: { message: userMessage('Note it') } })).status).toBe(200);
  const facts = await home.database.agentMemory.findMany({ where: { workspaceId: home.workspaceId } });
  expect(facts).toMatchObject([{ agentId: clerk, apiKeyId: id, fact: 'Noted by the granted' }]);
});

test('a task without a starter has the facts of all tasks with the scope agent', async () => {
  const home = await makeAgentHome({ memoryEnabled: true, memoryScope: 'agent' });
  await remember(home, 'Of the builder');
  const taskId = randomUUID();
  await recall(home, {}, { taskId });
  await home.database.task.updateMany({ where: { clientId: taskId }, data: { createdByApiKeyId: null } });
  expect(await recall(home, {}, { taskId })).toEqual(['Of the builder']);
  await remember(home, 'Of nobody', { taskId });
  expect(await recall(home)).toEqual(['Of nobody', 'Of the builder']);
});
