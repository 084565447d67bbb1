import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { deleteExpired } from '../../prisma/store/deleteExpired.ts';
import { claimKey } from '../../prisma/store/idempotency/claimKey.ts';
import { releaseKey, storeAnswer } from '../../prisma/store/idempotency/storeAnswer.ts';
import { api } from '../setup/api/client.ts';
import { poll } from '../setup/jest/poll.ts';
import { makeWorkspace, stackDatabase } from '../setup/workspace/workspace.ts';

const ANSWER = { headers: {}, body: '{"a":1}', isBase64: false };

function request(more: { fingerprint?: string; lockMs?: number; keepMs?: number; key?: string } = {}) {
  return {
    operation: 'createProject',
    key: more.key ?? 'k',
    fingerprint: Buffer.from(more.fingerprint ?? 'same'),
    resourceId: v7(),
    lockMs: more.lockMs ?? 60_000,
    keepMs: more.keepMs ?? 60_000,
  };
}

async function claimedIn(workspaceId: string, given: ReturnType<typeof request>) {
  const claim = await claimKey(stackDatabase(), workspaceId, given);
  expect(claim).toEqual({ kind: 'claimed', resourceId: given.resourceId });
  return given;
}

test('a running claim keeps others out, an answered one answers, another request conflicts', async () => {
  const { workspaceId } = await makeWorkspace();
  const first = await claimedIn(workspaceId, request());
  expect(await claimKey(stackDatabase(), workspaceId, request())).toMatchObject({ kind: 'running' });
  expect(await claimKey(stackDatabase(), workspaceId, request({ fingerprint: 'x' }))).toEqual({ kind: 'otherRequest' });
  await storeAnswer(stackDatabase(), workspaceId, first, 201, ANSWER);
  expect(await claimKey(stackDatabase(), workspaceId, request())).toEqual({
    kind: 'answered',
    status: 201,
    answer: ANSWER,
  });
  await claimedIn((await makeWorkspace()).workspaceId, request());
});

test('a claim whose process died is taken over with its resource id, by one of many', async () => {
  const { workspaceId } = await makeWorkspace();
  const dead = await claimedIn(workspaceId, request({ lockMs: -1_000 }));
  const claims = await Promise.all(Array.from({ length: 10 }, () => claimKey(stackDatabase(), workspaceId, request())));
  const taken = claims.filter((claim) => claim.kind === 'claimed');
  expect(taken).toEqual([{ kind: 'claimed', resourceId: dead.resourceId }]);
  expect(claims.filter((claim) => claim.kind === 'running')).toHaveLength(9);
});

function keysOf(workspaceId: string): Promise<number> {
  return stackDatabase().idempotencyKey.count({ where: { workspaceId } });
}

test('a released claim admits the next try, and the releasing request stores no answer', async () => {
  const { workspaceId } = await makeWorkspace();
  const first = await claimedIn(workspaceId, request());
  await releaseKey(stackDatabase(), workspaceId, first);
  const again = await claimKey(stackDatabase(), workspaceId, request());
  expect(again).toEqual({ kind: 'claimed', resourceId: first.resourceId });
});

test('one of many claims of a new key succeeds', async () => {
  const { workspaceId } = await makeWorkspace();
  const claims = await Promise.all(Array.from({ length: 20 }, () => claimKey(stackDatabase(), workspaceId, request())));
  expect(claims.filter((claim) => claim.kind === 'claimed')).toHaveLength(1);
});

test('an expired key is a new one, and is swept', async () => {
  const { workspaceId } = await makeWorkspace();
  const key = randomUUID();
  const old = await claimedIn(workspaceId, request({ key, keepMs: -1_000 }));
  await storeAnswer(stackDatabase(), workspaceId, old, 201, ANSWER);
  const fresh = await claimedIn(workspaceId, request({ key, keepMs: -1_000, fingerprint: 'other' }));
  expect(fresh.resourceId).not.toBe(old.resourceId);
  // The reconciler may do it first.
  await deleteExpired(stackDatabase(), 'idempotency_keys', 1_000);
  await poll(() => keysOf(workspaceId)).toBe(0);
});

test('keys are swept faster than they are created', async () => {
  const { workspaceId } = await makeWorkspace();
  const keys = 5_000;
  await stackDatabase().$executeRaw`
    INSERT INTO idempotency_keys (workspace_id, operation, key, fingerprint, resource_id, locked_until, expires_at)
    SELECT ${workspaceId}::uuid, 'test', number::text, '', gen_random_uuid(), now(), now() - interval '1 second'
    FROM generate_series(1, ${keys}::int) number`;
  // The former batch of 100 would take minutes.
  await poll(() => keysOf(workspaceId), { timeout: 30_000 }).toBe(0);
});

test('a repeated request after a crash makes the same resource as the first one', async () => {
  const { url, apiKey, workspaceId } = await makeWorkspace();
  const call = api(url, apiKey);
  const headers = { 'idempotency-key': 'crash' };
  const first = await call('POST', '/api/projects', { body: { name: 'Once' }, headers });
  // Simulates a process that died between creating the project and storing its answer.
  await stackDatabase().$executeRaw`
    UPDATE idempotency_keys SET status = NULL, answer = NULL, locked_until = now() - interval '1 second'
    WHERE workspace_id = ${workspaceId}::uuid AND key = 'crash'`;
  const again = await call('POST', '/api/projects', { body: { name: 'Once' }, headers });
  expect([again.status, again.body]).toEqual([201, first.body]);
  expect(again.headers.get('idempotency-replayed')).toBeNull();
  expect((await call('GET', '/api/projects')).body).toHaveLength(2);
});
