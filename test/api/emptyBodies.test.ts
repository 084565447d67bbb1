import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { readOpenApi, routesOf } from '../../api/openapi.ts';
import { question } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';

const document = readOpenApi();
const home = await makeHome();

/** Without a body at all, and with a media type and no bytes: as clients send nothing. */
const EMPTY = [{}, { body: '', headers: { 'content-type': 'application/json' } }];

test.each(routesOf(document).filter(({ hasBody, isPublic }) => hasBody && !isPublic))(
  '$method $path without a body is refused as bad input where it needs one, not for its media type',
  async ({ method, path }) => {
    const operation = document.paths[path]?.[method];
    const filled = path.replaceAll(/\{\w+\}/g, () => randomUUID());
    for (const empty of EMPTY) {
      const { status, body } = await home.api(method.toUpperCase(), filled, empty);
      if (operation?.requestBody?.required === true) {
        expect(body).toMatchObject({ status: 400, code: 'VALIDATION_FAILED', errors: [{ path: '' }] });
      } else {
        expect(status).not.toBe(415);
      }
    }
  },
);

test.each(['PATCH', 'PUT'])('%s without a body changes nothing', async (method) => {
  const create = async (path: string, body: object) => (await home.api('POST', path, { body })).body.id as string;
  const type = { slug: `t-${randomUUID()}` };
  const objectTypeId = (await home.api('POST', '/api/object-types/upsert', { body: type })).body.id;
  const queue = `/api/queues/${await create(`/api/queues?projectId=${home.projectId}`, { name: 'Q' })}`;
  const things = [
    `/api/projects/${home.projectId}`,
    `/api/variables/${await create('/api/variables', { name: `v_${method}`, value: 1 })}`,
    `/api/knowledge/${await create('/api/knowledge', { name: 'K' })}`,
    `/api/objects/${await create('/api/objects', { objectTypeId, name: 'O' })}`,
    queue,
    `${queue}/items/${await create(`${queue}/items`, { data: { a: 1 } })}`,
  ];
  for (const path of things) {
    const before = await home.api('GET', `${path}?expansion=updatedAt`);
    for (const empty of EMPTY) {
      const { status, body } = await home.api(method, `${path}?expansion=updatedAt`, empty);
      expect([path, status, body.updatedAt]).toEqual([path, 200, before.body.updatedAt]);
    }
  }
});

test('an input without a body has no values: missing fields are reported, and a form without required fields takes it', async () => {
  const nodes = [question('ask'), question('free', { fields: [{ key: 'note', label: 'Note', type: 'text' }] })];
  const executionId = await home.execute(await home.deploy({ nodes }));
  await Promise.all([home.asked(executionId, 'ask'), home.asked(executionId, 'free')]);
  const send = (nodeId: string) => home.api('POST', `/api/webhooks/executions/${executionId}/nodes/${nodeId}/input`);
  expect(await send('ask')).toMatchObject({
    status: 400,
    body: { code: 'MISSING_INPUT', errors: [{ path: 'answer' }] },
  });
  expect(await send('free')).toMatchObject({ status: 200, body: { accepted: true } });
});
