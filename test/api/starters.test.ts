// test: long
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { type Api, api } from '../setup/api/client.ts';
import { poll } from '../setup/jest/poll.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { agentHomeOn, tool, userMessage } from '../setup/workspace/agentHome.ts';
import { action, chain, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';
import { confirmed, newMember } from '../setup/workspace/people.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

/** Prevents scheduled polls. */
const SELDOM_MS = 366 * 86_400_000;

const ask = question('ask', { excludeStarter: true });

async function executionOf(home: Home, workflowId: string): Promise<string> {
  const list = async () => (await home.api('GET', `/api/executions?filterBy=workflowId:${workflowId}`)).body;
  await poll(async () => (await list()).length, { timeout: 20_000 }).toBe(1);
  const [{ id }] = await list();
  await home.asked(id, 'ask');
  return id;
}

const answers = (home: Home, executionId: string) => async (by: Api) =>
  (await home.submit(executionId, 'ask', { answer: 'x' }, undefined, by)).status;

test('an execution of an agent is on behalf of the author of the message, also through sub-agents', async () => {
  const base = await makeHome();
  const workflowId = await base.deploy({ slug: 'asks', nodes: [ask] });
  const home = await agentHomeOn(base, stackDatabase(), {});
  const inner = await home.agent({ workflowIds: [workflowId] });
  await stackDatabase().agent.update({ where: { id: inner }, data: { slug: 'inner' } });
  const outer = await home.agent({ subAgentIds: [inner] });
  const [owner, builder] = [await home.person(), await newMember(home, 'builder')];
  home.provider.answer(
    callTools({ id: 'c1', name: 'agent_inner', arguments: { message: 'Start it' } }),
    callTools({ id: 'c2', name: 'workflow_asks', arguments: {} }),
    say('It is done.'),
    say('Done.'),
  );
  const body = { message: userMessage('Start it', randomUUID()) };
  const turn = builder.call('POST', `/api/agents/${outer}/tasks/t/message`, { body });
  const answer = answers(home, await executionOf(home, workflowId));
  expect([await answer(builder.call), await answer(owner)]).toEqual([403, 200]);
  expect((await turn).status).toBe(200);
});

test('a step that an agent runs by itself, and one that was approved: of who wrote, and of who approved', async () => {
  const home = await agentHomeOn(await makeHome(), stackDatabase(), {
    tools: [tool('core', 'set', { policy: 'approve' }), tool('testing', 'succeed')],
  });
  const [owner, builder] = [await home.person(), await newMember(home, 'builder')];
  home.provider.answer(
    callTools(
      { id: 'c1', name: 'testing_succeed', arguments: {} },
      { id: 'c2', name: 'core_set', arguments: { values: {} } },
    ),
  );
  const path = `/api/agents/${home.agentId}/tasks/t/message`;
  const asked = await builder.call('POST', path, { body: { message: userMessage('Do it', randomUUID()) } });
  const message = asked.body.messages.at(-1);
  for (const part of message.parts) {
    if (part.state !== 'approval-requested') continue;
    Object.assign(part, { state: 'approval-responded', approval: { id: part.approval.id, approved: true } });
  }
  home.provider.answer(say('Done.'));
  expect((await owner('POST', path, { body: { messages: [message] } })).status).toBe(200);
  const started = await stackDatabase().execution.findMany({ where: { workspaceId: home.workspaceId } });
  const ids = (await Promise.all([owner, builder.call].map((call) => call('GET', '/api/users/me')))).map(
    ({ body }) => body.id,
  );
  const startersOf = (actionId: string) =>
    started.find(({ definition }) => JSON.stringify(definition).includes(`"actionId":"${actionId}"`))?.starters.sort();
  expect(startersOf('succeed')).toEqual([ids[1]]);
  expect(startersOf('set')).toEqual([...ids].sort());
});

test('an error workflow is on behalf of the starter of the failed execution', async () => {
  const home = await makeHome();
  const handler = await home.deploy({ nodes: [ask] });
  const failing = await home.deploy({
    nodes: [action('a', 'testing.fail', { retryable: false })],
    onFailureWorkflowId: handler,
  });
  const [owner, builder] = [await home.person(), await newMember(home, 'builder')];
  const started = await builder.call('POST', `/api/executions/workflows/${failing}/execute`, { body: {} });
  expect((await home.ended(started.body.executionId)).status).toBe('FAILED');
  const answer = answers(home, await executionOf(home, handler));
  expect([await answer(builder.call), await answer(owner)]).toEqual([403, 200]);
});

test('a key that another person rotates is theirs from then on, and the secret from before goes at once', async () => {
  const home = await makeHome();
  const [first, second] = [
    await confirmed(await newMember(home, 'owner')),
    await confirmed(await newMember(home, 'owner')),
  ];
  const permissions = ['executions:run', 'workspace:admin'];
  const { body: made } = await first.call('POST', '/api/api-keys', { body: { name: 'k', permissions } });
  const rotate = (by: Api, body: object) => by('POST', `/api/api-keys/${made.id}/rotate`, { body });
  const makerOf = async () =>
    (await home.api('GET', '/api/api-keys')).body.find(({ id }: { id: string }) => id === made.id).createdBy;

  // A key of one's own cannot hide the starter.
  expect((await rotate(first.call, { graceMs: 60_000 })).status).toBe(200);
  expect(await makerOf()).toMatchObject({ id: first.id });
  expect(await rotate(second.call, { graceMs: 60_000 })).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT', detail: expect.stringContaining("another person's") },
  });
  expect(await makerOf()).toMatchObject({ id: first.id });
  const { body: rotated } = await rotate(second.call, {});
  expect(await makerOf()).toMatchObject({ id: second.id });
  const byKey = api(home.url, rotated.apiKey);
  expect((await api(home.url, made.apiKey)('GET', '/api/users/me')).status).toBe(401);

  const workflowId = await home.deploy({ nodes: [ask] });
  const { body } = await second.call('POST', `/api/executions/workflows/${workflowId}/execute`, { body: {} });
  await home.asked(body.executionId, 'ask');
  const answer = answers(home, body.executionId);
  expect([await answer(byKey), await answer(first.call)]).toEqual([403, 200]);

  // A key that the operator's key rotates has no user behind it.
  expect((await rotate(home.api, {})).status).toBe(200);
  expect(await makerOf()).toBeNull();
});

test('a queue starts executions for the persons who added its items or changed their data, through steps and keys too', async () => {
  const home = await makeHome();
  const [owner, operator, builder] = [
    await home.person(),
    await newMember(home, 'operator'),
    await newMember(home, 'builder'),
  ];
  const queueOf = async (slug: string) =>
    (await home.api('POST', `/api/queues?projectId=${home.projectId}`, { body: { name: slug, slug } })).body.id;
  const queueId = await queueOf('pay');
  const deploy = (queue: string, nodes: object[]) =>
    home.deploy({
      trigger: { id: 'trigger', type: 'queue', config: { queueId: queue, batchSize: 1 } },
      nodes,
    } as never);
  const items = `/api/queues/${queueId}/items`;
  const add = (by: Api, body: object = { data: { amount: 1 } }, path = items) => by('POST', path, { body });
  const workflowId = await deploy(queueId, [ask]);
  const seen = new Set<string>();
  const next = async () => {
    const list = async () =>
      (await home.api('GET', `/api/executions?filterBy=workflowId:${workflowId}`)).body
        .map(({ id }: { id: string }) => id)
        .filter((id: string) => !seen.has(id));
    await poll(async () => (await list()).length, { timeout: 30_000 }).toBe(1);
    const [id] = await list();
    seen.add(id);
    await home.asked(id, 'ask');
    return id as string;
  };

  expect((await add(operator.call)).status).toBe(201);
  let answer = answers(home, await next());
  expect([await answer(operator.call), await answer(owner)]).toEqual([403, 200]);

  const later = new Date(Date.now() + 3_600_000).toISOString();
  const { body: item } = await add(operator.call, { data: {}, scheduledFor: later, externalId: 'x' });
  const change = { data: { amount: 2 }, scheduledFor: null };
  expect((await builder.call('PATCH', `${items}/${item.id}`, { body: change })).status).toBe(200);
  answer = answers(home, await next());
  expect([await answer(operator.call), await answer(builder.call), await answer(owner)]).toEqual([403, 403, 200]);

  // An item that a step added counts for the starter of its execution.
  const relay = await home.deploy({ nodes: [action('add', 'queue.add', { queueId, data: { amount: 3 } })] });
  await operator.call('POST', `/api/executions/workflows/${relay}/execute`, { body: {} });
  answer = answers(home, await next());
  expect([await answer(operator.call), await answer(owner)]).toEqual([403, 200]);

  const first = await queueOf('first');
  await deploy(first, [action('add', 'queue.add', { queueId, data: { amount: 4 } })]);
  expect((await add(operator.call, { data: {} }, `/api/queues/${first}/items`)).status).toBe(201);
  answer = answers(home, await next());
  expect([await answer(operator.call), await answer(owner)]).toEqual([403, 200]);
});

async function followed() {
  const home = await makeHome();
  const stateSchema = { initial: 'open', states: [{ id: 'open' }, { id: 'paid' }] };
  const type = { slug: 'order', name: 'Order', stateSchema };
  await home.api('POST', '/api/object-types/upsert', { body: type });
  const config = { appId: 'objects', triggerId: 'changed', inputs: {}, everyMs: SELDOM_MS };
  const trigger = { id: 'trigger' as const, type: 'poll' as const, config };
  const workflowId = await home.deploy({ trigger, nodes: [ask] });
  const seen = new Set<string>();
  const startedBy = async (change: () => Promise<{ status: number }>, count = 1) => {
    expect((await change()).status).toBeLessThan(300);
    await (await stackTemporal()).workflow.execute('runPoll', {
      workflowId: `poll-${workflowId}-${randomUUID()}`,
      taskQueue: 'perdure',
      args: [{ workspaceId: home.workspaceId, workflowId }],
    });
    const found = await stackDatabase().execution.findMany({ where: { workflowId }, orderBy: { number: 'asc' } });
    const started = found.filter(({ id }) => !seen.has(id));
    expect(started).toHaveLength(count);
    for (const { id } of started) seen.add(id);
    return started.map(({ id, starters }) => ({ id, starters: starters.toSorted() }));
  };
  return { home, startedBy };
}

test('a change of an entity starts executions for the person who made it, by steps and keys too', async () => {
  const { home, startedBy } = await followed();
  const [owner, operator, builder] = [
    await confirmed(await newMember(home, 'owner')),
    await newMember(home, 'operator'),
    await newMember(home, 'builder'),
  ];
  const body = { objectTypeSlug: 'order', name: 'A' };
  let id = '';
  const [created] = await startedBy(async () => {
    const made = await operator.call('POST', '/api/objects', { body });
    id = made.body.id;
    return made;
  });
  const answer = answers(home, created?.id ?? '');
  await home.asked(created?.id ?? '', 'ask');
  expect([await answer(operator.call), await answer(builder.call)]).toEqual([403, 200]);

  const path = `/api/objects/${id}`;
  const startersOf = async (change: () => Promise<{ status: number }>) => (await startedBy(change))[0]?.starters;
  const rename = (by: Api, name: string) => by('PATCH', path, { body: { name } });
  expect(await startersOf(() => rename(builder.call, 'B'))).toEqual([builder.id]);
  const permissions = ['objects:write', 'objects:read'];
  const { body: key } = await owner.call('POST', '/api/api-keys', { body: { name: 'k', permissions } });
  const byKey = api(home.url, key.apiKey);
  expect(await startersOf(() => byKey('POST', `${path}/state`, { body: { state: 'paid' } }))).toEqual([owner.id]);
  expect(await startersOf(() => operator.call('DELETE', path))).toEqual([operator.id]);
  expect(await startersOf(() => builder.call('POST', `${path}/restore`))).toEqual([builder.id]);
  const rows = { objectTypeSlug: 'order', rows: [{ name: 'B' }], matchField: 'name' };
  const imported = (name: string) => ({ body: { ...rows, rows: [{ name }] } });
  expect(await startersOf(() => operator.call('POST', '/api/objects/import', imported('C')))).toEqual([operator.id]);

  const relay = await home.deploy({
    nodes: [
      action('update', 'objects.update', { id, name: 'D' }),
      action('create', 'objects.create', { objectTypeSlug: 'order', name: 'E' }),
    ],
    edges: chain('update', 'create'),
  });
  const byStep = await startedBy(async () => {
    const run = await operator.call('POST', `/api/executions/workflows/${relay}/execute`, { body: {} });
    expect((await home.ended(run.body.executionId)).status).toBe('COMPLETED');
    return run;
  }, 2);
  expect(byStep.map(({ starters }) => starters)).toEqual([[operator.id], [operator.id]]);
});

test('an execution that sees later changes of its entity is on behalf of the persons behind those, too', async () => {
  const { home, startedBy } = await followed();
  const [operator, builder] = [await newMember(home, 'operator'), await newMember(home, 'builder')];
  const body = { objectTypeSlug: 'order', name: 'A' };
  const started = await startedBy(async () => {
    const { body: made } = await operator.call('POST', '/api/objects', { body });
    await builder.call('PATCH', `/api/objects/${made.id}`, { body: { name: 'B' } });
    return operator.call('PATCH', `/api/objects/${made.id}`, { body: { name: 'C' } });
  }, 3);
  const both = [operator.id, builder.id].toSorted();
  expect(started.map(({ starters }) => starters)).toEqual([both, both, [operator.id]]);
});

test('a question cannot exclude the starter under a trigger that knows nobody', async () => {
  const home = await makeHome();
  for (const trigger of [
    { type: 'webhook', config: {} },
    { type: 'schedule', config: { cron: '0 0 * * *' } },
    {
      type: 'poll',
      config: { appId: 'rss', triggerId: 'newItem', inputs: { url: 'https://a.example' }, everyMs: 60_000 },
    },
  ]) {
    const body = { slug: 'nobody', name: 'n', trigger: { id: 'trigger', ...trigger }, nodes: [ask], edges: [] };
    const refused = await home.api('POST', `/api/projects/${home.projectId}/workflows/upsert`, { body });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        errors: [{ path: 'nodes[0].inputs.excludeStarter', message: expect.stringContaining('has no effect') }],
      },
    });
  }
});
