import { expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { action } from '../setup/workspace/graph.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';

const { url, apiKey, projectId } = await makeWorkspace();
const call = api(url, apiKey);
const open = api(url);

const unknownKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0]));

test('of a large body the first problem alone is named, of another one each', async () => {
  const send = (body: object) => call('POST', '/api/projects', { body });
  const small = await send(unknownKeys(3));
  expect(small.status).toBe(400);
  expect(small.body.errors.map(({ path }: { path: string }) => path).toSorted()).toEqual(['k0', 'k1', 'k2', 'name']);
  const large = await send({ name: 'A', ...unknownKeys(60_000) });
  expect([large.status, large.body.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect(large.body.errors).toEqual([{ path: 'k0', message: expect.stringContaining('unknown key, expected one of') }]);
  expect(await send({ name: 'A', description: 'x'.repeat(1_000) })).toMatchObject({ status: 201 });
});

test('a stranger who logs in sends 64 KiB at most', async () => {
  const refresh = (length: number) => ({ refresh_token: 'x'.repeat(length) });
  const paths = ['login', '2fa/verify-login', 'login-with-token', 'read-login-token', 'login-link', 'refresh-token'];
  for (const path of paths) {
    const answer = await open('POST', `/api/auth/${path}`, { body: refresh(70_000) });
    expect([path, answer.status, answer.body.code]).toEqual([path, 413, 'PAYLOAD_TOO_LARGE']);
  }
  expect(await open('POST', '/api/auth/refresh-token', { body: refresh(10_000) })).not.toMatchObject({ status: 413 });
});

test('others have their turn while megabytes of definitions are checked and planned', async () => {
  const nodes = Array.from({ length: 100 }, (_, index) =>
    action(`n${index}`, 'core.set', { values: { a: '{{ trigger.body.x }}' } }),
  );
  const edges = nodes.slice(1).map((node, index) => ({ source: `n${index}`, target: node.id }));
  const resources = Array.from({ length: 150 }, (_, index) => ({
    ...{ kind: 'workflow', slug: `w${index}`, name: `W${index}`, trigger: { type: 'manual' }, nodes, edges },
  }));
  let isOver = false;
  const planned = call('POST', `/api/projects/${projectId}/apply`, { body: { dryRun: true, resources } }).finally(
    () => {
      isOver = true;
    },
  );
  let turns = 0;
  for (; !isOver; turns += 1) expect((await fetch(`${url}/healthz`)).ok).toBe(true);
  const { status, body } = await planned;
  expect([status, body.plan.length]).toEqual([200, 150]);
  expect(turns).toBeGreaterThan(20);
});
