import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { makeAgentHome, userMessage } from '../setup/workspace/agentHome.ts';

test('an agent searches its knowledge base and is given parts to cite; another base is not its to name', async () => {
  const home = await makeAgentHome();
  const base = async (name: string, text: string) => {
    const made = await home.api('POST', '/api/knowledge', { body: { name, embeddingProvider: 'local' } });
    const saved = await home.api('POST', `/api/knowledge/${made.body.id}/saveUploadedText`, { body: { text } });
    expect(saved.status).toBe(201);
    return made.body.id as string;
  };
  const [handbook, other] = [
    await base('Handbook', 'A parcel that was damaged on its way is replaced within thirty days.'),
    await base('Salaries', 'Salaries are paid on the first day of each month.'),
  ];
  const upsert = (settings: object) =>
    home.api('POST', `/api/projects/${home.projectId}/agents/upsert`, {
      body: { slug: 'support', instructions: 'Help.', model: 'm', aiConnectionId: home.connectionId, ...settings },
    });
  const { body: agent } = await upsert({ knowledgeIds: [handbook], forcedTools: ['search_knowledge'] });
  expect((await home.api('GET', `/api/agents/${agent.id}?expansion=knowledge`)).body.knowledge).toEqual([
    { id: handbook, name: 'Handbook' },
  ]);

  const query = 'What happens to a damaged parcel?';
  home.provider.answer(
    callTools(
      { id: 'good', name: 'search_knowledge', arguments: { query } },
      { id: 'other', name: 'search_knowledge', arguments: { query, knowledgeId: other } },
      { id: 'empty', name: 'search_knowledge', arguments: { query: '', limit: 0 } },
    ),
    say('It is replaced.'),
  );
  const taskId = randomUUID();
  const sent = await home.api('POST', `/api/agents/${agent.id}/tasks/${taskId}/message`, {
    body: { message: userMessage('My parcel is broken', randomUUID()) },
  });
  expect(sent.status).toBe(200);
  const requests = home.provider.requests.filter(({ path }) => path.endsWith('/chat/completions'));
  expect(requests[0]?.body.tools?.map(({ function: { name } }) => name)).toEqual(['search_knowledge']);
  const results = requests[1]?.body.messages.filter(({ role }) => role === 'tool') ?? [];
  const of = (id: string) => String(results.find(({ tool_call_id }) => tool_call_id === id)?.content);
  expect(JSON.parse(of('good'))).toMatchObject({
    results: [
      { groupId: expect.any(String), partNumber: expect.any(Number), text: expect.stringContaining('damaged') },
    ],
  });
  expect(of('other')).toContain('knowledgeId: expected one of');
  expect(of('other')).not.toContain('Salaries are paid');
  expect(of('empty')).toContain('query: expected a text');
});

test('a base that has gone is no tool any more', async () => {
  const home = await makeAgentHome();
  const made = await home.api('POST', '/api/knowledge', { body: { name: 'Gone', embeddingProvider: 'local' } });
  const { body: agent } = await home.api('POST', `/api/projects/${home.projectId}/agents/upsert`, {
    body: {
      slug: 's',
      instructions: 'Help.',
      model: 'm',
      aiConnectionId: home.connectionId,
      knowledgeIds: [made.body.id],
    },
  });
  await home.api('DELETE', `/api/knowledge/${made.body.id}`);
  expect((await home.api('GET', `/api/agents/${agent.id}?expansion=knowledge`)).body.knowledge).toEqual([]);
  home.provider.answer(say('Hello'));
  await home.api('POST', `/api/agents/${agent.id}/tasks/${randomUUID()}/message`, {
    body: { message: userMessage('Hi', randomUUID()) },
  });
  expect(home.provider.requests.at(-1)?.body.tools).toBeUndefined();
});
