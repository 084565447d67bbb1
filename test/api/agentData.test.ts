import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { type AgentHome, makeAgentHome, userMessage } from '../setup/workspace/agentHome.ts';
import { action, manual } from '../setup/workspace/graph.ts';

// biome-ignore lint/suspicious/noExplicitAny: parts as the wire has them
type Loose = any;

/** Makes the calls in one turn of an agent with these settings, and answers what each has come to. */
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
  // As the tool says: its words are those of names, and attributes have a filter of their own.
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

test('platform tools read the workspace as the API shows it: secrets are masked, and nothing of another is there', async () => {
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
