import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { readOpenApi, routesOf } from '../../api/openapi.ts';
import { exampleBody } from '../setup/api/exampleBody.ts';
import { inject } from '../setup/stack/inject.ts';
import { grant, keyOf } from '../setup/workspace/grants.ts';
import { makeKnowledge } from '../setup/workspace/knowledge.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';

const document = readOpenApi();
const routes = routesOf(document).filter(({ path }) => /^\/api\/knowledge(\/|$)/.test(path));

const workspace = await makeWorkspace();
const [reader, writer, consumer] = await Promise.all([
  keyOf(workspace, 'knowledge:read'),
  keyOf(workspace, 'knowledge:write'),
  keyOf(workspace, 'agents:use'),
]);

test('there are nine operations, and search', () => {
  expect(routes.filter(({ method }) => method !== 'put')).toHaveLength(10);
});

test.each(routes)('$method $path: with its permission, and with no other', async ({ method, path, permissions }) => {
  const body = exampleBody(document.paths[path]?.[method]);
  const isRefused = async ({ call }: typeof reader) => {
    const place = path.replaceAll(/\{\w+\}/g, () => randomUUID());
    const answer = await call(method.toUpperCase(), place, body === undefined ? {} : { body });
    return answer.status === 403;
  };
  expect([await isRefused(reader), await isRefused(writer), await isRefused(consumer)]).toEqual([
    !permissions?.includes('knowledge:read'),
    !permissions?.includes('knowledge:write'),
    true,
  ]);
  expect(permissions).toHaveLength(1);
});

test('a grant on an agent does not give access to its knowledge bases', async () => {
  const { own, path, id, workspaceId, save } = await makeKnowledge();
  await save('Salaries are paid on the first day of each month.');
  const project = await own('POST', '/api/projects', { body: { name: 'P' } });
  const agent = await own('POST', `/api/projects/${project.body.id}/agents/upsert`, {
    body: { slug: 'a', instructions: 'Help.', model: 'm', knowledgeIds: [id] },
  });
  const guest = await keyOf({ workspaceId, url: inject('stack').url }, 'agents:use');
  await grant({ workspaceId }, agent.body.id, { apiKeyId: guest.id });
  expect((await guest.call('GET', `/api/agents/${agent.body.id}`)).status).toBe(200);
  const [{ groupId }] = (await own('GET', `${path}/documents`)).body;
  for (const place of ['/api/knowledge', path, `${path}/documents`, `${path}/documents/${groupId}`]) {
    expect((await guest.call('GET', place)).status).toBe(403);
  }
  const search = await guest.call('POST', `${path}/search`, { body: { query: 'salaries' } });
  expect(search.status).toBe(403);
});
