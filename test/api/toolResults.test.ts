import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { type AgentHome, makeAgentHome, tool, userMessage } from '../setup/workspace/agentHome.ts';

const THRESHOLD = 1_024;

async function agentAt(home: AgentHome, settings: object = {}): Promise<string> {
  const { body } = await home.api('POST', `/api/projects/${home.projectId}/agents/upsert`, {
    body: {
      ...{ slug: 's', instructions: 'Help.', model: 'm', aiConnectionId: home.connectionId },
      ...{ enableToolResultOffload: true, toolResultOffloadThresholdBytes: THRESHOLD },
      tools: [tool('testing', 'succeed'), tool('testing', 'payload')],
      ...settings,
    },
  });
  return body.id;
}

async function send(home: AgentHome, agentId: string, taskId: string) {
  const body = { message: userMessage('Do it', randomUUID()) };
  const sent = await home.api('POST', `/api/agents/${agentId}/tasks/${taskId}/message`, { body });
  expect(sent.status).toBe(200);
  return sent.body.messages[0].parts as { toolCallId?: string; output?: unknown; errorText?: string }[];
}

const partOf = (parts: Awaited<ReturnType<typeof send>>, id: string) => parts.find((part) => part.toolCallId === id);

// biome-ignore lint/suspicious/noExplicitAny: the result that the model got
const resultOf = (home: AgentHome, index: number, id: string): any => {
  const messages = home.provider.requests[index]?.body.messages ?? [];
  return JSON.parse(String(messages.find(({ tool_call_id }) => tool_call_id === id)?.content));
};

test('a large result is kept apart, and read in parts; a small one is shown', async () => {
  const home = await makeAgentHome();
  const agentId = await agentAt(home);
  const long = 'ä'.repeat(300) + '😀'.repeat(300);
  home.provider.answer(
    callTools(
      { id: 'large', name: 'testing_succeed', arguments: { output: long } },
      { id: 'small', name: 'testing_succeed', arguments: { output: { n: 1 } } },
    ),
  );
  home.provider.answerBy(({ body }) => {
    const results = body.messages.filter(({ role }) => role === 'tool');
    if (results.length > 2) return say('Read');
    const { resultId } = JSON.parse(String(results.find(({ tool_call_id }) => tool_call_id === 'large')?.content));
    const read = (id: string, more: object) => ({
      id,
      name: 'read_tool_result',
      arguments: { resultId, ...more },
    });
    return callTools(
      read('begin', { length: 301 }),
      read('end', { offset: 301, length: 16_000 }),
      read('much', { length: 16_001 }),
      { id: 'unknown', name: 'read_tool_result', arguments: { resultId: randomUUID() } },
    );
  });
  const taskId = randomUUID();
  const parts = await send(home, agentId, taskId);
  expect(resultOf(home, 1, 'small')).toEqual({ n: 1 });
  expect(resultOf(home, 1, 'large')).toEqual({
    resultId: expect.any(String),
    bytes: 2 + 300 * 2 + 300 * 4,
    preview: long,
    note: expect.stringContaining('read_tool_result'),
  });
  expect(resultOf(home, 2, 'begin')).toEqual({
    text: `${'ä'.repeat(300)}😀`,
    characters: 600,
    offset: 0,
    nextOffset: 301,
  });
  expect(resultOf(home, 2, 'end')).toEqual({ text: '😀'.repeat(299), characters: 600, offset: 301 });
  expect(partOf(parts, 'much')?.errorText).toContain('length: expected a whole number from 1 to 16000');
  expect(partOf(parts, 'unknown')?.errorText).toContain('This conversation has no result');
  // The row has the complete result, and is deleted with the task.
  const stored = await home.database.runToolCall.findMany({
    where: { run: { task: { clientId: taskId } }, toolCallId: 'large' },
  });
  expect(stored).toMatchObject([{ output: long, resultId: resultOf(home, 1, 'large').resultId }]);
  await home.api('DELETE', `/api/tasks/${taskId}`);
  expect(await home.database.runToolCall.count({ where: { resultId: stored[0]?.resultId ?? '' } })).toBe(0);
});

test('a result belongs to its conversation: another task of the same agent does not read it, and a read result is not stored again', async () => {
  const home = await makeAgentHome();
  const agentId = await agentAt(home);
  const large = callTools({ id: 'large', name: 'testing_payload', arguments: { bytes: 20_000 } });
  home.provider.answer(large, say('Large'));
  const first = randomUUID();
  const parts = await send(home, agentId, first);
  const { resultId } = (partOf(parts, 'large')?.output ?? {}) as { resultId?: string };
  const read = (id: string) =>
    callTools({ id, name: 'read_tool_result', arguments: { resultId: String(resultId), length: 16_000 } });
  const larger = callTools({ id: 'larger', name: 'testing_payload', arguments: { bytes: 20_001 } });
  home.provider.answer(larger, read('elsewhere'), say('No'), read('here'), say('Yes'));
  expect(partOf(await send(home, agentId, randomUUID()), 'elsewhere')?.errorText).toContain('has no result');
  const { output } = partOf(await send(home, agentId, first), 'here') as { output: { text: string } };
  expect(output.text).toHaveLength(16_000);
});

test('without enableToolResultOffload a large result is shown whole', async () => {
  const home = await makeAgentHome();
  const agentId = await agentAt(home, { enableToolResultOffload: false });
  home.provider.answer(callTools({ id: 'large', name: 'testing_payload', arguments: { bytes: 5_000 } }), say('Large'));
  await send(home, agentId, randomUUID());
  expect(resultOf(home, 1, 'large').data).toHaveLength(5_000);
  expect(home.provider.requests[0]?.body.tools?.map(({ function: { name } }) => name)).not.toContain(
    'read_tool_result',
  );
});
