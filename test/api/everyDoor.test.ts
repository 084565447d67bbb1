// test: long
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { type OpenApiOperation, parametersOf, readOpenApi, routesOf } from '../../api/openapi.ts';
import { PERMISSIONS, type Permission } from '../../domain/access/permission.ts';
import { type Api, type ApiAnswer, api } from '../setup/api/client.ts';
import { CALLERS, type CallerName, DOORS, isOpenFor } from '../setup/api/doors.ts';
import { exampleBody } from '../setup/api/exampleBody.ts';
import { fromElsewhere } from '../setup/api/fromElsewhere.ts';
import { grant, keyOf } from '../setup/workspace/grants.ts';
import { newMember } from '../setup/workspace/people.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';

const document = readOpenApi();
const routes = routesOf(document).filter(({ path }) => path.startsWith('/api/'));
const workspace = await makeWorkspace();
const { url, apiKey, projectId } = workspace;
const admin = api(url, apiKey);

type Route = (typeof routes)[number];

const nameOf = ({ operationId }: Pick<Route, 'operationId'>) => operationId.replace(/ByPut$/, '');
const doorOf = new Map(Object.entries(DOORS).flatMap(([door, names]) => names.map((name) => [name, door] as const)));

/** Sends unknown ids: an admitted caller finds nothing, or creates something. */
function send(call: Api, { method, path }: Route): Promise<ApiAnswer> {
  const needed = parametersOf(document, document.paths[path]?.[method] as OpenApiOperation)
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map(({ name }) => `${name}=${randomUUID()}`);
  const filled = `${path.replaceAll(/\{\w+\}/g, () => randomUUID())}?${needed.join('&')}`;
  const body = exampleBody(document.paths[path]?.[method]);
  return call(method.toUpperCase(), filled, {
    headers: fromElsewhere(),
    ...(body === undefined ? {} : { body }),
  });
}

function isIn({ status, body }: ApiAnswer, door: string): boolean {
  // A public operation may require a password or a token, but never a credential.
  if (door === 'public') return !(status === 401 && String(body?.detail).startsWith('Send X-API-Key'));
  // A caller that assigns roles and keys cannot grant more permissions than its own.
  if (status === 403 && String(body?.detail).startsWith('You cannot give')) return true;
  // After a login by link, a user must authenticate again.
  if (status === 401 && body?.code === 'CONFIRMATION_REQUIRED') return true;
  return status !== 401 && status !== 403;
}

async function callerOf(name: CallerName): Promise<Api> {
  if (name === 'nobody') return api(url);
  if (name === 'key') return (await keyOf(workspace, ...PERMISSIONS)).call;
  if (name !== 'grantOnly') return (await newMember(workspace, name)).call;
  const agent = await admin('POST', `/api/projects/${projectId}/agents/upsert`, {
    body: { slug: `a-${randomUUID()}`, instructions: 'i', model: 'm' },
  });
  const key = await keyOf(workspace, 'agents:use');
  await grant(workspace, agent.body.id, { apiKeyId: key.id });
  return key.call;
}

test('the table lists exactly the served operations', () => {
  expect(doorOf.size).toBe(Object.values(DOORS).flat().length);
  expect([...doorOf.keys()].sort()).toEqual([...new Set(routes.map(nameOf))].sort());
});

test.each(Object.keys(CALLERS) as CallerName[])(
  '%s comes through their doors and through no other',
  async (name) => {
    const caller = await callerOf(name);
    const inOrder = routes.toSorted((a, b) => Number(a.operationId === 'logout') - Number(b.operationId === 'logout'));
    const wrong: string[] = [];
    for (const route of inOrder) {
      const door = doorOf.get(nameOf(route)) ?? '';
      const answer = await send(caller, route);
      const expected = isOpenFor(name, door);
      const refusal = name === 'nobody' ? 401 : 403;
      const isRight = expected ? isIn(answer, door) : answer.status === refusal;
      if (!isRight) wrong.push(`${route.operationId} (${door}): ${answer.status} ${answer.body?.detail ?? ''}`);
    }
    expect(wrong).toEqual([]);
  },
  180_000,
);

const BY_PERMISSION = Object.keys(DOORS).filter((door) => !['public', 'anyone', 'person'].includes(door));

test.each(BY_PERMISSION)('%s opens its operations; all other permissions together do not', async (door) => {
  const opening = door.split('|') as Permission[];
  const without = await keyOf(workspace, ...PERMISSIONS.filter((permission) => !opening.includes(permission)));
  const keys = await Promise.all(opening.map((permission) => keyOf(workspace, permission)));
  const wrong: string[] = [];
  for (const route of routes.filter((each) => doorOf.get(nameOf(each)) === door)) {
    for (const { call } of keys) {
      const answer = await send(call, route);
      if (!isIn(answer, door)) wrong.push(`${route.operationId}: refused with it: ${answer.body?.detail}`);
    }
    const { status } = await send(without.call, route);
    if (status !== 403) wrong.push(`${route.operationId}: ${status} without it`);
  }
  expect(wrong).toEqual([]);
});
