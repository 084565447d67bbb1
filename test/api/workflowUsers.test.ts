import { expect, test } from '@jest/globals';
import type { Permission } from '../../domain/access/permission.ts';
import { grant, keyOf } from '../setup/workspace/grants.ts';
import { action, control } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';

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
  // By a grant alone.
  const granted = await seenBy('agents:use');
  expect(granted.seen).toEqual(workflows);
  await grant(home, agentId, { apiKeyId: granted.id });
  expect(await read(granted.call)).toMatchObject({ usedBy: [users[0], ...workflows], usedByTotal: 5 });
  expect((await (await makeHome()).api('GET', `/api/workflows/${tool}?expansion=usedBy`)).status).toBe(404);
  expect((await home.api('GET', '/api/workflows?expansion=usedBy')).status).toBe(400);
  await home.deploy({ slug: 'by-id', name: 'By id', nodes: [greet] });
  expect((await read()).usedByTotal).toBe(4);
});
