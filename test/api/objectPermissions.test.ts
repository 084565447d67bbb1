import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { makeApiKey } from '../../api/access/apiKey.ts';
import { readOpenApi, routesOf } from '../../api/openapi.ts';
import type { Permission } from '../../domain/access/permission.ts';
import { insertApiKey } from '../../prisma/store/apiKey/writeApiKey.ts';
import { api } from '../setup/api/client.ts';
import { exampleBody } from '../setup/api/exampleBody.ts';
import { makeWorkspace, stackDatabase } from '../setup/workspace/workspace.ts';

const document = readOpenApi();
const routes = routesOf(document).filter(({ path }) => /^\/api\/object(s|-types)(\/|$)/.test(path));
/** All of the area but queue items of an entity, which are the queues'. */
const own = routes.filter(({ path }) => !path.endsWith('/queue-items'));

async function withPermissions(...permissions: Permission[]) {
  const { workspaceId, url } = await makeWorkspace();
  const { key, hash, prefix } = makeApiKey();
  await insertApiKey(stackDatabase(), workspaceId, { id: v7(), name: 'k', hash, prefix, permissions, expiresAt: null });
  return api(url, key);
}

const reader = await withPermissions('objects:read');
const writer = await withPermissions('objects:write');

test('there are fifteen operations, restore, and the deletion of a type', () => {
  const patchAsPut = own.filter(({ method }) => method === 'put');
  expect(own.length - patchAsPut.length).toBe(17);
});

test.each(own)('$method $path: with its permission, and with no other', async ({ method, path, permissions }) => {
  const body = exampleBody(document.paths[path]?.[method]);
  const ask = async (call: typeof reader) => {
    const answer = await call(
      method.toUpperCase(),
      path.replaceAll(/\{\w+\}/g, () => randomUUID()),
      body === undefined ? {} : { body },
    );
    return answer.status === 403;
  };
  expect([await ask(reader), await ask(writer)]).toEqual([
    !permissions?.includes('objects:read'),
    !permissions?.includes('objects:write'),
  ]);
  expect(permissions).toHaveLength(1);
});
