import { describe, expect, test } from '@jest/globals';
import type { Permission } from '../../domain/access/permission.ts';
import { api } from '../setup/api/client.ts';
import { poll } from '../setup/jest/poll.ts';
import { grant, keyOf } from '../setup/workspace/grants.ts';
import { action, chain, control, edges, question, webhook } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

describe('changes', () => {
  const POLL = { timeout: 40_000, interval: 200 };
  const done = action('done', 'core.set', { values: { done: true } });
  const ALL = 'slug,version,description,isActive,maxConcurrent,timeoutMs,onFailureWorkflowId,nextScheduledExecution';

  const change = (home: Home, workflowId: string, body: object, query = `?expansion=${ALL}`) =>
    home.api('PATCH', `/api/workflows/${workflowId}${query}`, { body });
  const shown = async (home: Home, workflowId: string) =>
    (await home.api('GET', `/api/workflows/${workflowId}?expansion=${ALL}`)).body;

  async function open(home: Home, slug: string, more: object = {}): Promise<string> {
    const body = { slug, nodes: [done], edges: [], managedByCode: false, ...more };
    const { body: made } = await home.api('POST', `/api/projects/${home.projectId}/workflows/upsert`, { body });
    return made.id;
  }

  test('each field can be changed by itself, by PATCH and by PUT; the version and the other fields stay', async () => {
    const home = await makeHome();
    const [id, other] = [await open(home, 'changing'), await open(home, 'handler')];
    const before = await shown(home, id);
    const CHANGES = [
      ['name', 'Another name'],
      ['description', 'For refunds'],
      ['isActive', false],
      ['maxConcurrent', 3],
      ['timeoutMs', 31_536_000_000],
      ['onFailureWorkflowId', other],
      ['description', null],
      ['maxConcurrent', null],
      ['timeoutMs', null],
      ['onFailureWorkflowId', null],
    ] as const;
    let expected = before;
    for (const [member, value] of CHANGES) {
      expected = { ...expected, [member]: value };
      expect((await change(home, id, { [member]: value })).body).toEqual(expected);
    }
    const put = await home.api('PUT', `/api/workflows/${id}`, { body: { isActive: true } });
    expect(put.body).toEqual({ id, name: 'Another name' });
    expect(await shown(home, id)).toEqual({ ...expected, isActive: true, version: 1 });
    expect((await change(home, id, {}, '')).body).toEqual({ id, name: 'Another name' });
  });

  test('of a workflow that code manages only isActive changes; all else is refused, whatever it says', async () => {
    const home = await makeHome();
    const id = await home.deploy({ slug: 'by-code', nodes: [done] });
    const before = await shown(home, id);
    for (const body of [
      { name: 'x' },
      { maxConcurrent: 1 },
      { isActive: false, description: 'x' },
      { name: before.name },
    ]) {
      const refused = await change(home, id, body);
      expect([refused.status, refused.body.code]).toEqual([409, 'MANAGED_BY_CODE']);
    }
    expect(await shown(home, id)).toEqual(before);
    expect((await change(home, id, { isActive: false })).body).toEqual({ ...before, isActive: false });
  });

  test('the error workflow is another one of the workspace, and setting it needs the right to start it', async () => {
    const [home, elsewhere] = [await makeHome(), await makeHome()];
    const [id, other] = [await open(home, 'a'), await open(home, 'b')];
    const foreign = await open(elsewhere, 'c');
    for (const wrong of [id, foreign]) {
      const refused = await change(home, id, { onFailureWorkflowId: wrong });
      expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'onFailureWorkflowId']);
    }
    const made = await home.api('POST', '/api/api-keys', {
      body: { name: 'writer', permissions: ['workflows:read', 'workflows:write'] },
    });
    const writer = api(home.url, made.body.apiKey);
    const path = `/api/workflows/${id}`;
    expect((await writer('PATCH', path, { body: { onFailureWorkflowId: other } })).status).toBe(403);
    expect((await writer('PATCH', path, { body: { onFailureWorkflowId: null } })).status).toBe(200);
    expect((await elsewhere.api('PATCH', path, { body: { name: 'x' } })).status).toBe(404);
  });

  test('an inactive workflow starts nothing, and its schedule goes and comes back', async () => {
    const home = await makeHome();
    const trigger = { id: 'trigger' as const, type: 'schedule' as const, config: { everyMs: 3_600_000 } };
    const id = await open(home, 'hourly', { trigger });
    expect((await shown(home, id)).nextScheduledExecution).not.toBeNull();
    expect((await change(home, id, { isActive: false })).body.nextScheduledExecution).toBeNull();
    const start = await home.api('POST', `/api/executions/workflows/${id}/execute`, { body: {} });
    expect([start.status, start.body.code]).toEqual([400, 'WORKFLOW_NOT_EXECUTABLE']);
    await change(home, id, { isActive: true });
    await poll(async () => (await shown(home, id)).nextScheduledExecution, POLL).not.toBeNull();
  });

  test('a limit counts what runs already, and a raised one starts what is held', async () => {
    const home = await makeHome();
    const id = await open(home, 'asks', { nodes: [question('ask'), done], edges: chain('ask', 'done') });
    const first = await home.execute(id);
    await home.asked(first, 'ask');
    await change(home, id, { maxConcurrent: 1 });
    const held = await Promise.all([home.execute(id), home.execute(id)]);
    const isHeld = async () => Promise.all(held.map(async (each) => (await home.read(each, 'held')).held));
    expect(await isHeld()).toEqual([true, true]);
    await change(home, id, { maxConcurrent: 3 });
    await Promise.all(held.map((each) => home.asked(each, 'ask')));
    expect(await isHeld()).toEqual([false, false]);
  });
});

describe('users of a workflow', () => {
  const greet = action('greet', 'core.set', { values: { greeting: 'Hello' } });

  test('usedBy names who uses it, as its deletion does, and only whom the caller may read', async () => {
    const home = await makeHome();
    const { projectId } = home;
    const put = (kind: string, body: object) => home.api('POST', `/api/projects/${projectId}/${kind}/upsert`, { body });
    const tool = await home.deploy({ slug: 'tool', name: 'Tool', nodes: [greet] });
    const caller = await home.deploy({
      slug: 'by-id',
      name: 'By id',
      nodes: [control('r', 'runWorkflow', { workflowId: tool })],
    });
    const bySlug = await home.deploy({ name: 'By slug', nodes: [control('r', 'runWorkflow', { slug: 'tool' })] });
    const handled = await home.deploy({ name: 'Handled', nodes: [greet], onFailureWorkflowId: tool });
    await home.deploy({ name: 'Other', nodes: [greet] });
    const agent = { slug: 'desk', name: 'Desk', instructions: 'i', model: 'm', workflowIds: [tool] };
    const { id: agentId } = (await put('agents', agent)).body;
    await home.api('PATCH', `/api/projects/${projectId}`, { body: { onFailureWorkflowId: tool } });
    const project = (await home.api('GET', `/api/projects/${projectId}`)).body;

    const read = async (call = home.api) => (await call('GET', `/api/workflows/${tool}?expansion=usedBy`)).body;
    const workflows = [
      { type: 'workflow', id: caller, name: 'By id' },
      { type: 'workflow', id: bySlug, name: 'By slug' },
      { type: 'workflow', id: handled, name: 'Handled' },
    ];
    const users = [
      { type: 'agent', id: agentId, name: 'Desk' },
      { type: 'project', id: projectId, name: project.name },
      ...workflows,
    ];
    expect(await read()).toEqual({ id: tool, name: 'Tool', usedBy: users, usedByTotal: 5 });
    const refused = (await home.api('DELETE', `/api/workflows/${tool}`)).body;
    const sorted = (list: { id: string }[]) => [...list].sort((one, other) => one.id.localeCompare(other.id));
    expect([sorted(refused.usedBy), refused.usedByTotal]).toEqual([sorted(users), 5]);

    const seenBy = async (...permissions: Permission[]) => {
      const { id, call } = await keyOf(home, 'workflows:read', ...permissions);
      return { id, call, seen: (await read(call)).usedBy };
    };
    expect((await seenBy()).seen).toEqual(workflows);
    expect((await seenBy('projects:read')).seen).toEqual(users.slice(1));
    expect((await seenBy('agents:read')).seen).toEqual([users[0], ...workflows]);
    const granted = await seenBy('agents:use');
    expect(granted.seen).toEqual(workflows);
    await grant(home, agentId, { apiKeyId: granted.id });
    expect(await read(granted.call)).toMatchObject({ usedBy: [users[0], ...workflows], usedByTotal: 5 });
    expect((await (await makeHome()).api('GET', `/api/workflows/${tool}?expansion=usedBy`)).status).toBe(404);
    expect((await home.api('GET', '/api/workflows?expansion=usedBy')).status).toBe(400);
    await home.deploy({ slug: 'by-id', name: 'By id', nodes: [greet] });
    expect((await read()).usedByTotal).toBe(4);
  });
});

describe('versions', () => {
  test('a workflow shows its versions: by whom, what they were, and how many run on', async () => {
    const home = await makeHome();
    const person = await home.person();
    const slug = 'orders';
    const first = { slug, trigger: webhook({ secret: 'the-hook-secret' }), nodes: [question('ask')], edges: [] };
    const upsert = `/api/projects/${home.projectId}/workflows/upsert`;
    const { body: workflow } = await home.api('POST', upsert, { body: first });
    const headers = { 'x-webhook-secret': 'the-hook-secret', 'x-api-key': home.apiKey };
    const started = await home.api('POST', `/api/webhooks/workflows/${workflow.id}`, { body: {}, headers });
    await home.asked(String(started.headers.get('x-execution-id')), 'ask');
    const nodes = [action('a', 'core.set', { values: { n: 1 } })];
    await person('POST', upsert, {
      body: { slug, nodes, edges: [], output: '{{ steps.a.output.n }}', labels: { a: 'b' } },
    });
    await home.api('POST', upsert, {
      body: { slug, nodes, edges: [], output: '{{ steps.a.output.n }}', labels: { a: 'b' } },
    });

    const place = `/api/workflows/${workflow.id}/versions`;
    const { body: versions } = await home.api('GET', place);
    const { body: me } = await person('GET', '/api/users/me');
    const createdAt = expect.stringMatching(/^\d{4}-/);
    expect(versions).toEqual([
      { version: 2, createdAt, createdBy: { type: 'user', id: me.id, name: me.name }, openExecutions: 0 },
      {
        ...{ version: 1, createdAt, openExecutions: 1 },
        createdBy: { type: 'apiKey', id: expect.any(String), name: expect.any(String) },
      },
    ]);
    const page = await home.api('GET', `${place}?limit=1`);
    expect(page.body).toHaveLength(1);
    expect(page.headers.get('link')).toContain('rel="next"');

    const one = await home.api('GET', `${place}/1`);
    expect(one.body).toMatchObject({ ...versions[1], nodes: [{ id: 'ask' }], edges: [], output: null, labels: {} });
    expect(one.body.triggerNode).toMatchObject({ type: 'webhook', config: { secret: '********' } });
    expect(JSON.stringify(one.body)).not.toContain('the-hook-secret');
    expect((await home.api('GET', `${place}/2`)).body).toMatchObject({ nodes, labels: { a: 'b' } });

    expect((await home.api('GET', `${place}/3`)).status).toBe(404);
    expect((await home.api('GET', `${place}/0`)).status).toBe(404);
    const stranger = await makeHome();
    expect((await stranger.api('GET', place)).status).toBe(404);
    expect((await stranger.api('GET', `${place}/1`)).status).toBe(404);
  });
});

describe('ids of nodes', () => {
  /** Every object has members with these names, including one keyed by node ids. */
  const NAMES = ['constructor', '__proto__'];

  test.each(NAMES)('a loop called %s and the nodes in it run like any other', async (id) => {
    const home = await makeHome();
    const executionId = await home.execute(
      await home.deploy({
        nodes: [
          action('a', 'core.transform', { value: 1 }),
          control(id, 'forEach', { items: [1, 2] }),
          action('toString', 'testing.wait', { ms: 1 }, { parentId: id }),
          action('valueOf', 'core.transform', { value: `{{ loop.item + loops["${id}"].index }}` }, { parentId: id }),
          question('hasOwnProperty'),
          action('z', 'core.transform', { value: `{{ steps["${id}"].output }}` }),
        ],
        edges: edges(`a>${id}`, `${id}>z`, 'toString>valueOf', 'a>hasOwnProperty'),
      }),
    );
    await home.asked(executionId, 'hasOwnProperty');
    await home.submit(executionId, 'hasOwnProperty', { answer: 'yes' });
    const { status, output } = await home.ended(executionId);
    expect({ status, output }).toMatchObject({
      status: 'COMPLETED',
      output: { z: [1, 3], hasOwnProperty: { answer: 'yes' } },
    });
  });

  test.each(NAMES)('a node called %s runs, inline and remotely, is retried, and ends a branch', async (id) => {
    const home = await makeHome();
    const retry = { maximumAttempts: 3, initialIntervalMs: 1 };
    const remote = await home.run({
      nodes: [
        action(id, 'testing.fail', { times: 2 }, { retry }),
        action('b', 'testing.succeed', { output: `{{ steps["${id}"].output.attempt }}` }),
      ],
      edges: edges(`${id}>b`),
    });
    expect(remote).toMatchObject({ status: 'COMPLETED', output: 3 });
    const inline = await home.run({
      nodes: [action(id, 'core.transform', { value: 1 }), action('b', 'testing.succeed')],
    });
    expect(new Map(Object.entries(inline.output))).toEqual(
      new Map([
        [id, 1],
        ['b', null],
      ]),
    );
  });
});
