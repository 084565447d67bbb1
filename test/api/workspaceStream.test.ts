// test: long
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Api } from '../setup/api/client.ts';
import { followWorkspace, type WorkspaceStream } from '../setup/api/workspaceEvents.ts';
import { poll } from '../setup/jest/poll.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { makeAgentHome, userMessage } from '../setup/workspace/agentHome.ts';
import { grant, keyOf } from '../setup/workspace/grants.ts';
import { action, control, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';
import { newMember } from '../setup/workspace/people.ts';

const streams: WorkspaceStream[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

async function follow(home: Pick<Home, 'url'>, credential: string): Promise<WorkspaceStream> {
  const stream = await followWorkspace(home.url, credential);
  streams.push(stream);
  expect(stream.events[0]).toMatchObject({ event: 'heartbeat', id: expect.any(String) });
  return stream;
}

describe('a workspace that is followed', () => {
  test('tells of executions and of questions that are asked, answered, expire, or end with their execution', async () => {
    const home = await makeHome();
    const stranger = await makeHome();
    const [stream, elsewhere] = [await follow(home, home.apiKey), await follow(stranger, stranger.apiKey)];
    const workflowId = await home.deploy({
      nodes: [
        question('answered'),
        question('late', { expiresInMs: 1_500 }, { onError: 'continue' }),
        question('left'),
      ],
    });
    const executionId = await home.execute(workflowId);
    const asked = await home.until(executionId, ({ pendingInput }) => pendingInput?.length === 3);
    const stepOf = (nodeId: string) =>
      asked.pendingInput.find((each: { nodeId: string }) => each.nodeId === nodeId).stepId;
    const steps = ['answered', 'late', 'left'].map(stepOf);
    const places = (ids: string[]) => ids.map((stepId) => ({ executionId, stepId })).sort(byStep);
    await poll(() => stream.data('question.opened').sort(byStep)).toEqual(places(steps));
    expect(stream.data('execution.changed').at(-1)).toEqual({ id: executionId, status: 'NEEDS_INPUT', workflowId });

    expect((await home.submit(executionId, 'answered', { answer: 'x' })).status).toBe(200);
    await poll(() => stream.data('question.closed').sort(byStep)).toEqual(places(steps.slice(0, 2)));
    expect((await home.api('POST', `/api/executions/${executionId}/cancel`)).status).toBe(200);
    await poll(() => stream.data('question.closed').sort(byStep)).toEqual(places(steps));
    await poll(() => stream.data('execution.changed').at(-1)).toEqual({
      id: executionId,
      status: 'CANCELLED',
      workflowId,
    });
    expect(stream.data('question.opened')).toHaveLength(3);
    expect(elsewhere.events.filter(({ event }) => event !== 'heartbeat')).toEqual([]);
  });

  test('tells of queues whose items are added, worked on and completed, and which are changed themselves', async () => {
    const home = await makeHome();
    const made = await home.api('POST', `/api/queues?projectId=${home.projectId}`, { body: { name: 'q' } });
    const queueId = made.body.id;
    const stream = await follow(home, home.apiKey);
    const changed = async (act: () => Promise<{ status: number }>, status: number) => {
      const before = stream.data('queue.changed').length;
      expect((await act()).status).toBe(status);
      await poll(() => stream.data('queue.changed').length).toBeGreaterThan(before);
    };
    const items = `/api/queues/${queueId}/items`;
    let itemId = '';
    await changed(async () => {
      const added = await home.api('POST', items, { body: { data: { n: 1 } } });
      itemId = added.body.id;
      return added;
    }, 201);
    // The queue's workers are not notified of a completed item.
    await changed(() => home.api('PATCH', `${items}/${itemId}/status`, { body: { status: 'COMPLETED' } }), 200);
    await changed(() => home.api('POST', `/api/queues/${queueId}/deactivate`), 200);
    expect(new Set(stream.data('queue.changed').map((data) => data.queueId))).toEqual(new Set([queueId]));
  });

  test('tells of entities that are made, changed, moved and deleted to those who may read them', async () => {
    const [home, stranger] = [await makeHome(), await makeHome()];
    const stateSchema = { initial: 'open', states: [{ id: 'open' }, { id: 'done' }] };
    const type = { slug: 'order', name: 'Order', stateSchema };
    for (const each of [home, stranger]) await each.api('POST', '/api/object-types/upsert', { body: type });
    const [objects, executions] = [await keyOf(home, 'objects:read'), await keyOf(home, 'executions:read')];
    const [sees, blind] = [await follow(home, objects.key), await follow(home, executions.key)];
    const add = async (to: Home) =>
      (await to.api('POST', '/api/objects', { body: { objectTypeSlug: 'order', name: 'x' } })).body.id as string;
    const [one, two] = [await add(home), await add(home)];
    await add(stranger);
    const shown = () => new Set(sees.data('object.changed').map(({ id }) => id));
    await poll(shown).toEqual(new Set([one, two]));
    expect(sees.data('object.changed')[0]).toEqual({ id: one, objectTypeSlug: 'order' });
    const changed = async (act: () => Promise<{ status: number }>, status: number) => {
      const before = sees.data('object.changed').length;
      expect((await act()).status).toBe(status);
      await poll(() => sees.data('object.changed').slice(before)).toEqual([{ id: two, objectTypeSlug: 'order' }]);
    };
    await changed(() => home.api('POST', `/api/objects/${two}/state`, { body: { state: 'done' } }), 201);
    await changed(() => home.api('DELETE', `/api/objects/${two}`), 200);
    expect(blind.data('object.changed')).toEqual([]);
  });

  test('tells each caller what its permissions let it read, and less where they become less', async () => {
    const home = await makeHome();
    const person = await newMember(home, 'builder');
    const [executions, queues, none] = [
      await keyOf(home, 'executions:read'),
      await keyOf(home, 'queues:read'),
      await keyOf(home, 'projects:read'),
    ];
    expect((await none.call('GET', '/api/stream')).status).toBe(403);
    const [sees, blind, members] = [
      await follow(home, executions.key),
      await follow(home, queues.key),
      await follow(home, person.access_token),
    ];
    const run = async () => (await home.run({ nodes: [action('a', 'core.set', { values: {} })] })).id;
    const ids = (stream: WorkspaceStream) => stream.data('execution.changed').map(({ id }) => id);
    const first = await run();
    for (const stream of [sees, members]) await poll(() => ids(stream)).toContain(first);
    expect(ids(blind)).toEqual([]);

    // A consumer may still follow, but only tasks.
    const users = `/api/workspace/users/${person.id}`;
    expect((await home.api('PATCH', users, { body: { role: 'consumer' } })).status).toBe(200);
    const second = await run();
    await poll(() => ids(sees)).toContain(second);
    expect(ids(members)).not.toContain(second);
    // Its view changes with its role and back; no other member is notified.
    await poll(() => members.data('resync')).toHaveLength(1);
    expect((await home.api('PATCH', users, { body: { role: 'builder' } })).status).toBe(200);
    await poll(() => members.data('resync')).toHaveLength(2);
    const again = await run();
    await poll(() => ids(members)).toContain(again);
    expect([...sees.data('resync'), ...blind.data('resync')]).toEqual([]);
    expect((await home.api('DELETE', users)).status).toBe(200);
    expect(await members.ended).toBe(true);
    expect((await home.api('DELETE', `/api/api-keys/${executions.id}`)).status).toBe(200);
    expect(await sees.ended).toBe(true);
    const third = await run();
    await home.ended(third);
    expect(ids(sees)).not.toContain(third);
  });

  test('does not tell of executions of internal workflows, and does of their questions', async () => {
    const home = await makeHome();
    const stream = await follow(home, home.apiKey);
    const workflowId = await home.deploy({ nodes: [question('ask')], isInternal: true } as never);
    const caller = await home.deploy({ nodes: [control('call', 'runWorkflow', { workflowId })] });
    const executionId = await home.execute(caller);
    await poll(() => stream.data('question.opened')).toHaveLength(1);
    const [{ executionId: inner }] = stream.data('question.opened') as [{ executionId: string }];
    expect(inner).not.toBe(executionId);
    expect(stream.data('execution.changed').map(({ id }) => id)).not.toContain(inner);
    await home.api('POST', `/api/executions/${executionId}/cancel`);
  });
});

describe('tasks', () => {
  const tools = [{ appId: 'testing', actionId: 'succeed', policy: 'approve' }] as never;
  const send = (call: Api, agentId: string, taskId: string, body: object = { message: userMessage('Do it') }) =>
    call('POST', `/api/agents/${agentId}/tasks/${taskId}/message`, { body });

  test('are sent with the status of their latest turn, and to a grant-only caller its own while the grant lives', async () => {
    const home = await makeAgentHome({ tools });
    home.provider.answerBy(({ body: { messages } }) =>
      messages.at(-1)?.role === 'tool' ? say('Done.') : callTools({ id: 'c', name: 'testing_succeed', arguments: {} }),
    );
    const { agentId } = home;
    const { id, key, call } = await keyOf(home, 'agents:use');
    const grantId = await grant(home, agentId, { apiKeyId: id });
    const [all, own] = [await follow(home, home.apiKey), await follow(home, key)];
    await send(home.api, agentId, 'theirs');
    await send(call, agentId, 'own');
    const heard = (stream: WorkspaceStream, taskId: string) =>
      stream.data('task.changed').flatMap((data) => (data.taskId === taskId ? [data.status] : []));
    for (const taskId of ['theirs', 'own']) await poll(() => heard(all, taskId).at(-1)).toBe('NEEDS_APPROVAL');
    await poll(() => heard(own, 'own').at(-1)).toBe('NEEDS_APPROVAL');
    expect(all.data('task.changed')[0]).toMatchObject({ agentId });
    expect(heard(own, 'theirs')).toEqual([]);
    expect(own.events.filter(({ event }) => event === 'execution.changed')).toEqual([]);

    const seen = await call('GET', '/api/tasks?expansion=pendingApprovals');
    const [{ approvalId }] = seen.body[0].pendingApprovals;
    const parts = [{ type: 'tool-approval-response', approvalId, approved: true }];
    await send(call, agentId, 'own', { message: { role: 'assistant', parts } });
    for (const stream of [all, own]) await poll(() => heard(stream, 'own').at(-1)).toBe('COMPLETED');

    expect((await home.api('DELETE', `/api/agents/${agentId}/grants/${grantId}`)).status).toBe(200);
    const before = heard(own, 'own').length;
    await send(home.api, agentId, 'own', { message: userMessage('And more') });
    await poll(() => heard(all, 'own').at(-1)).toBe('NEEDS_APPROVAL');
    expect(heard(own, 'own')).toHaveLength(before);
  });
});

const byStep = (a: { stepId: string }, b: { stepId: string }) => (a.stepId < b.stepId ? -1 : 1);
