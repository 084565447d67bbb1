import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { type AgentHome, makeAgentHome, userMessage } from '../setup/workspace/agentHome.ts';
import { grant, keyOf } from '../setup/workspace/grants.ts';

const NAME = 'update_own_instructions';
const FIXED = 'Answer in English.';

async function upserted(home: AgentHome, more: object = {}) {
  const body = {
    ...{ slug: 'self', instructions: FIXED, model: 'm', aiConnectionId: home.connectionId },
    ...{ dynamicSelfInstructionsEnabled: true, ...more },
  };
  const answer = await home.api('POST', `/api/projects/${home.projectId}/agents/upsert`, { body });
  expect(answer.status).toBe(200);
  return answer.body.id as string;
}

async function setting(home: AgentHome, agentId: string, instructions: string, apiKey = home.apiKey) {
  home.provider.answer(callTools({ id: `c-${randomUUID()}`, name: NAME, arguments: { instructions } }), say('Done'));
  const path = `/api/agents/${agentId}/tasks/${randomUUID()}/message`;
  expect((await api(home.url, apiKey)('POST', path, { body: { message: userMessage('Learn it') } })).status).toBe(200);
  return String(home.provider.requests.at(-1)?.body.messages.findLast(({ role }) => role === 'tool')?.content);
}

const system = (home: AgentHome) => home.provider.requests.at(-1)?.body.messages[0]?.content;
const read = async (home: AgentHome, agentId: string) =>
  (await home.api('GET', `/api/agents/${agentId}?expansion=instructions,selfInstructions,selfInstructionVersions`))
    .body;

test('self-instructions follow the instructions in all tasks, appear in reads, and are removed by a changed upsert', async () => {
  const home = await makeAgentHome();
  const agentId = await upserted(home);
  expect(await read(home, agentId)).toMatchObject({ selfInstructions: null, selfInstructionVersions: [] });
  expect(JSON.parse(await setting(home, agentId, 'Say “parcel”.'))).toEqual({
    version: 1,
    instructions: 'Say “parcel”.',
  });
  expect(system(home)).toBe(`${FIXED}\n\nYou have added to your instructions:\nSay “parcel”.`);
  await setting(home, agentId, '  Say “parcel”.  ');
  await setting(home, agentId, 'Be brief.');
  expect(system(home)).toBe(`${FIXED}\n\nYou have added to your instructions:\nBe brief.`);
  const runs = await home.database.taskRun.findMany({ where: { task: { agentId } }, select: { id: true } });
  const shown = await read(home, agentId);
  expect(shown).toMatchObject({
    instructions: FIXED,
    selfInstructions: { version: 2, instructions: 'Be brief.' },
    selfInstructionVersions: [
      { version: 2, instructions: 'Be brief.' },
      { version: 1, instructions: 'Say “parcel”.' },
    ],
  });
  expect(runs.map(({ id }) => id)).toContain(shown.selfInstructionVersions[0].runId);

  await upserted(home);
  expect((await read(home, agentId)).selfInstructions).toEqual({ version: 2, instructions: 'Be brief.' });
  await upserted(home, { temperature: 1 });
  expect(await read(home, agentId)).toMatchObject({ selfInstructions: null, selfInstructionVersions: [{}, {}] });
  expect(JSON.parse(await setting(home, agentId, 'Third.'))).toMatchObject({ version: 3 });
  expect(JSON.parse(await setting(home, agentId, ''))).toEqual({ version: 4, instructions: '' });
  expect(system(home)).toBe(FIXED);
  expect((await read(home, agentId)).selfInstructions).toBeNull();
});

test('limits the size and keeps only the latest versions', async () => {
  const home = await makeAgentHome();
  const agentId = await upserted(home);
  expect(await setting(home, agentId, 'x'.repeat(4_001))).toContain('must NOT have more than 4000 characters');
  await home.database.agent.update({ where: { id: agentId }, data: { selfInstructionsVersion: 60 } });
  await home.database.agentSelfInstructions.createMany({
    data: Array.from({ length: 60 }, (_, index) => ({
      ...{ agentId, version: index + 1, instructions: `v${index + 1}`, runId: randomUUID() },
    })),
  });
  await setting(home, agentId, 'The newest');
  const { selfInstructionVersions: kept } = await read(home, agentId);
  expect([kept.length, kept[0].version, kept.at(-1).version]).toEqual([50, 61, 12]);
});

test('a caller without agents:read can neither change it for others nor read it', async () => {
  const home = await makeAgentHome();
  const agentId = await upserted(home);
  const { id, key, call } = await keyOf(home, 'agents:use');
  await grant(home, agentId, { apiKeyId: id });
  expect(await setting(home, agentId, 'Obey me.', key)).toContain(`There is no tool "${NAME}"`);
  expect((await read(home, agentId)).selfInstructions).toBeNull();
  expect((await call('GET', `/api/agents/${agentId}?expansion=selfInstructions`)).status).toBe(403);
  expect((await call('GET', `/api/agents/${agentId}?expansion=selfInstructionVersions`)).status).toBe(403);
});

test('without the setting, an agent has neither the tool nor self-instructions', async () => {
  const home = await makeAgentHome();
  const agentId = await upserted(home);
  await setting(home, agentId, 'Be brief.');
  await upserted(home, { dynamicSelfInstructionsEnabled: false });
  home.provider.answer(say('Hello'));
  await home.api('POST', `/api/agents/${agentId}/tasks/${randomUUID()}/message`, {
    body: { message: userMessage('Hi') },
  });
  expect([system(home), home.provider.requests.at(-1)?.body.tools]).toEqual([FIXED, undefined]);
});
