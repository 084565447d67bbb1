import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';
import { poll } from '../setup/jest/poll.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { type AgentHome, makeAgentHome, tool, userMessage } from '../setup/workspace/agentHome.ts';
import { chatOn, shown } from '../setup/workspace/chat.ts';
import { action, manual } from '../setup/workspace/graph.ts';

describe('entities and queues', () => {
  // biome-ignore lint/suspicious/noExplicitAny: parts as the wire has them
  type Loose = any;

  async function called(home: AgentHome, settings: object, ...calls: [name: string, input: object][]) {
    const { status, body: agent } = await home.api('POST', `/api/projects/${home.projectId}/agents/upsert`, {
      body: {
        ...{ slug: `a-${randomUUID()}`, instructions: 'Help.', model: 'm', aiConnectionId: home.connectionId },
        ...settings,
      },
    });
    expect(status).toBe(200);
    const first = home.provider.requests.length;
    home.provider.answer(
      callTools(...calls.map(([name, input], index) => ({ id: `c${index}`, name, arguments: input }))),
      say('Done'),
    );
    const sent = await home.api('POST', `/api/agents/${agent.id}/tasks/${randomUUID()}/message`, {
      body: { message: userMessage('Do it', randomUUID()) },
    });
    const parts: Loose[] = sent.body.messages[0].parts;
    const results = calls.map((_, index) => parts.find(({ toolCallId }) => toolCallId === `c${index}`));
    const tools = home.provider.requests[first]?.body.tools ?? [];
    return { names: tools.map(({ function: { name } }) => name), results };
  }

  test('an agent finds and reads entities of its types and its named entities, and no others', async () => {
    const home = await makeAgentHome();
    const post = async (path: string, body: object) => (await home.api('POST', path, { body })).body;
    const schema = { type: 'object', properties: { total: { type: 'number' }, colour: { type: 'string' } } };
    const order = await post('/api/object-types/upsert', { slug: 'order', name: 'Order', attributeSchema: schema });
    await post('/api/object-types/upsert', { slug: 'salary', name: 'Salary' });
    const [one, two] = [
      await post('/api/objects', { objectTypeSlug: 'order', name: 'One', attributes: { total: 1 } }),
      await post('/api/objects', { objectTypeSlug: 'order', name: 'Two', attributes: { total: 2, colour: 'blue' } }),
    ];
    const named = await post('/api/objects', { objectTypeSlug: 'salary', name: 'Ada' });
    const secret = await post('/api/objects', { objectTypeSlug: 'salary', name: 'Grace' });
    const other = await makeAgentHome();
    await other.api('POST', '/api/object-types/upsert', { body: { slug: 'order' } });
    const foreign = await other.api('POST', '/api/objects', { body: { objectTypeSlug: 'order', name: 'Theirs' } });

    const { names, results } = await called(
      home,
      { objectTypeIds: [order.id], objectIds: [named.id] },
      ['find_entities', { type: 'order', attributes: { total: 2 } }],
      ['find_entities', { type: 'salary' }],
      ['find_entities', { type: 'order', search: 'wo' }],
      ['find_entities', { type: 'order', search: 'blue' }],
      ['read_entity', { id: one.id }],
      ['read_entity', { id: named.id }],
      ['read_entity', { id: secret.id }],
      ['read_entity', { id: foreign.body.id }],
    );
    expect(names).toEqual(['find_entities', 'read_entity']);
    const [found, refused, byWord, coloured, byType, byName, hidden, theirs] = results;
    expect(found.output).toMatchObject({ total: 1, items: [{ id: two.id, name: 'Two', attributes: { total: 2 } }] });
    // As the tool's description says: `search` matches names, and attributes have their own filter.
    expect([byWord.output.total, coloured.output.total]).toEqual([1, 0]);
    const [find]: Loose[] = home.provider.requests[0]?.body.tools ?? [];
    expect(find.function.parameters.properties.search.description).toContain('does not look in attributes');
    expect(refused.errorText).toContain('type: expected one of order');
    expect(byType.output).toMatchObject({ name: 'One', attributes: { total: 1 } });
    expect(byName.output).toMatchObject({ name: 'Ada' });
    expect(hidden.errorText).toContain('There is no entity');
    expect(theirs.errorText).toContain('There is no entity');
  });

  test('variables are read on demand, and only those that the agent names', async () => {
    const home = await makeAgentHome();
    const make = async (name: string, value: unknown) =>
      (await home.api('POST', '/api/variables', { body: { name, value } })).body.id;
    const variableIds = [await make('RATE', 0.19), await make('SHOP', { name: 'Ada’s' })];
    await make('OTHER', 'not yours');
    const { names, results } = await called(home, { variableIds }, ['read_variables', {}]);
    expect(names).toEqual(['read_variables']);
    expect(results[0].output).toEqual({ RATE: 0.19, SHOP: { name: 'Ada’s' } });
    expect(JSON.stringify(home.provider.requests[0]?.body)).not.toContain('0.19');
  });

  test('built-in tools: the time in a zone, and expressions', async () => {
    const home = await makeAgentHome();
    const { results } = await called(
      home,
      { enabledBuiltInTools: ['calculate', 'current_time'] },
      ['current_time', { timeZone: 'Europe/Berlin' }],
      ['current_time', { timeZone: 'Moon/Base' }],
      ['calculate', { expression: '[1, 2, 4].sum() * 2.5' }],
      ['calculate', { expression: '1 / 0' }],
      ['calculate', { expression: 'nothing +' }],
    );
    const [time, moon, sum, zero, broken] = results;
    expect(time.output).toMatchObject({ timeZone: 'Europe/Berlin', utc: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(moon.errorText).toContain('timeZone: expected');
    expect(sum.output).toBe(17.5);
    expect([zero.state, broken.state]).toEqual(['output-error', 'output-error']);
  });

  test('platform tools read only this workspace, with masked secrets, like the API', async () => {
    const home = await makeAgentHome();
    const trigger = manual({ key: 'token', label: 'Token', type: 'secret', required: true });
    const workflowId = await home.deploy({
      slug: 'secretive',
      trigger,
      nodes: [action('set', 'core.set', { values: { shown: '{{ trigger.token }}' } })],
    });
    const executionId = await home.execute(workflowId, { token: 'tok-4711-secret' });
    await home.ended(executionId);
    const made = await home.api('POST', `/api/queues?projectId=${home.projectId}`, { body: { name: 'Work' } });
    expect(made.status).toBe(201);
    const other = await makeAgentHome();
    const theirs = await other.deploy({ nodes: [action('set', 'core.set', { values: {} })] });
    const foreign = await other.execute(theirs, {});
    const enabledPlatformTools = ['list_workflows', 'list_executions', 'read_execution', 'list_queues'];
    const { results } = await called(
      home,
      { enabledPlatformTools },
      ['list_workflows', {}],
      ['list_executions', { workflowId, status: 'COMPLETED' }],
      ['list_executions', { status: 'NO' }],
      ['read_execution', { executionId }],
      ['read_execution', { executionId: foreign }],
      ['list_queues', {}],
    );
    const [workflows, executions, wrong, read, absent, queues] = results;
    expect(workflows.output).toMatchObject({ items: [{ id: workflowId, slug: 'secretive' }], hasMore: false });
    expect(executions.output).toMatchObject({ items: [{ id: executionId, status: 'COMPLETED' }] });
    expect(wrong.errorText).toContain('COMPLETED');
    expect(read.output).toMatchObject({ status: 'COMPLETED', output: { shown: '***' } });
    expect(absent.state).toBe('output-error');
    expect(queues.output).toMatchObject({ items: [{ name: 'Work', itemCounts: { PENDING: 0 } }] });
    expect(JSON.stringify(home.provider.requests.map(({ body }) => body))).not.toContain('tok-4711-secret');
  });
});

describe('knowledge', () => {
  test('an agent searches its own knowledge bases only and gets parts to cite', async () => {
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

  test('a deleted base is no longer a tool', async () => {
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
});

describe('plans', () => {
  const STEPS = { steps: [{ title: 'Look it up' }, { title: 'Answer', status: 'open' }] };
  const tools = [tool('testing', 'succeed') as never];

  const asked = (home: AgentHome, index: number) => home.provider.requests[index]?.body;
  const chosen = (home: AgentHome, index: number) => asked(home, index)?.tool_choice;
  const results = (home: AgentHome, index: number) =>
    asked(home, index)
      ?.messages.filter(({ role }) => role === 'tool')
      .map(({ content }) => content);

  test('enablePlanning: each turn begins with a plan, before forced tools, and the model may update it', async () => {
    const home = await makeAgentHome({ enablePlanning: true, tools, forcedTools: ['testing_succeed'] });
    const done = { steps: [{ title: 'Look it up', status: 'done' }] };
    home.provider.answer(
      callTools({ id: 'p1', name: 'plan', arguments: STEPS }),
      callTools({ id: 'a', name: 'testing_succeed', arguments: {} }),
      callTools({ id: 'p2', name: 'plan', arguments: done }),
      say('Here it is'),
    );
    const taskId = randomUUID();
    const turn = await home.stream(taskId, { message: userMessage('Do it') });
    await turn.done;
    const force = (name: string) => ({ type: 'function', function: { name } });
    expect([0, 1, 2].map((index) => chosen(home, index))).toEqual([force('plan'), force('testing_succeed'), undefined]);
    expect(turn.chunks).toContainEqual({ type: 'tool-output-available', toolCallId: 'p1', output: STEPS });
    const [, answer] = await home.messages(taskId);
    expect(answer.parts.filter(({ type }: { type: string }) => type === 'tool-plan')).toMatchObject([
      { state: 'output-available', input: STEPS },
      { state: 'output-available', input: done },
    ]);
    home.provider.answer(callTools({ id: 'p3', name: 'plan', arguments: STEPS }), say('Again'));
    await home.send(taskId, 'And now?');
    expect(chosen(home, 4)).toEqual(force('plan'));
  });

  test('the model receives the error of an invalid plan', async () => {
    const home = await makeAgentHome({ enablePlanning: true });
    home.provider.answer(
      callTools(
        { id: 'a', name: 'plan', arguments: { steps: [] } },
        { id: 'b', name: 'plan', arguments: { steps: [{ title: 'x', status: 'lost' }], more: 1 } },
      ),
      say('Never mind'),
    );
    await home.send(randomUUID(), 'Do it');
    expect(results(home, 1)?.[0]).toContain('steps: must NOT have fewer than 1 items');
    expect(results(home, 1)?.[1]).toContain('more: unknown key, expected one of steps');
    expect(results(home, 1)?.[1]).toContain('open, underWay, done, dropped');
  });

  test('requirePlanApproval: tools run only after a person has approved the plan; a later plan needs no approval', async () => {
    const home = await makeAgentHome({ requirePlanApproval: true, tools });
    const chat = chatOn(home, home.apiKey, randomUUID(), {
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    });
    // The model calls a tool before it has a plan.
    home.provider.answer(
      callTools({ id: 'early', name: 'testing_succeed', arguments: {} }, { id: 'p1', name: 'plan', arguments: STEPS }),
    );
    await chat.sendMessage({ text: 'Do it' });
    expect(await home.turn(chat.id)).toMatchObject({ status: 'NEEDS_APPROVAL' });
    expect(await home.database.execution.count({ where: { workspaceId: home.workspaceId } })).toBe(0);
    const parts = () => shown(chat.lastMessage).parts as { type: string; state: string; errorText?: string }[];
    expect(parts().find(({ type }) => type === 'tool-testing_succeed')).toMatchObject({
      state: 'output-error',
      errorText: expect.stringContaining('a plan comes first'),
    });
    const plan = parts().find(({ type }) => type === 'tool-plan') as unknown as { approval: { id: string } };
    expect(plan).toMatchObject({ state: 'approval-requested', input: STEPS });

    home.provider.answer(
      callTools(
        { id: 'now', name: 'testing_succeed', arguments: {} },
        { id: 'p2', name: 'plan', arguments: { steps: [{ title: 'Look it up', status: 'done' }] } },
      ),
      say('Done'),
    );
    await chat.addToolApprovalResponse({ id: plan.approval.id, approved: true });
    await poll(async () => (await home.turn(chat.id)).status).toBe('COMPLETED');
    await poll(async () => chat.status).toBe('ready');
    expect(results(home, 2)?.slice(1, 2)).toEqual([JSON.stringify(STEPS)]);
    expect(parts().filter(({ type, state }) => type === 'tool-plan' && state === 'output-available')).toHaveLength(2);
    expect(await home.database.runToolCall.findFirst({ where: { toolCallId: 'now' } })).toMatchObject({
      status: 'COMPLETED',
    });
    home.provider.answer(callTools({ id: 'p3', name: 'plan', arguments: STEPS }));
    await chat.sendMessage({ text: 'More' });
    expect(await home.turn(chat.id)).toMatchObject({ status: 'NEEDS_APPROVAL' });
  });

  test('after a refused plan the model receives the reason, and may only propose another one', async () => {
    const home = await makeAgentHome({ enablePlanning: true, requirePlanApproval: true, tools });
    const taskId = randomUUID();
    const path = `/api/agents/${home.agentId}/tasks/${taskId}/message`;
    home.provider.answer(callTools({ id: 'p1', name: 'plan', arguments: STEPS }));
    await home.send(taskId, 'Do it');
    home.provider.answer(
      callTools({ id: 'a', name: 'testing_succeed', arguments: {} }),
      callTools({ id: 'p2', name: 'plan', arguments: { steps: [{ title: 'Another way' }] } }),
    );
    const parts = [{ type: 'tool-approval-response', approvalId: 'approve-p1', approved: false, reason: 'Too slow' }];
    const { status } = await home.api('POST', path, { body: { message: { role: 'assistant', parts } } });
    expect(status).toBe(200);
    expect(results(home, 1)).toEqual(['Not allowed: Too slow']);
    expect(results(home, 2)?.[1]).toContain('a plan comes first');
    expect(await home.turn(taskId)).toMatchObject({ status: 'NEEDS_APPROVAL' });
    expect(await home.database.execution.count({ where: { workspaceId: home.workspaceId } })).toBe(0);
  });
});
