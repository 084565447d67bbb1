// test: pglite
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import pino from 'pino';
import { v7 } from 'uuid';
import { makeApiKey } from '../../api/access/apiKey.ts';
import type { Caller } from '../../api/access/caller.ts';
import { buildApp } from '../../api/app.ts';
import { EventStream } from '../../api/operation.ts';
import { OPERATIONS, type OperationTable } from '../../api/operations/table.ts';
import { CHECKS_AT_ONCE } from '../../api/streams/openStreams.ts';
import type { Role } from '../../domain/access/permission.ts';
import { agentDefinition } from '../../domain/agent/definition.ts';
import { ACCESS_CHANNEL, AccessFeed } from '../../engine/feeds/accessFeed.ts';
import { DatabaseListener } from '../../engine/feeds/databaseListener.ts';
import { insertApiKey } from '../../prisma/store/apiKey/writeApiKey.ts';
import { mayFollowTask } from '../../prisma/store/turn/mayFollowTask.ts';
import { gate } from '../setup/jest/gate.ts';
import { poll } from '../setup/jest/poll.ts';
import { type OwnApi, openStreamsOf, startOwnApi } from '../setup/stack/ownApi.ts';

let own: OwnApi;
let listener: DatabaseListener;
let url: string;
/** The connection of another process. */
let other: pg.Client;
let held: Promise<void> = Promise.resolve();
const feed = new AccessFeed();
const streams = new Map<string, PassThrough>();

beforeAll(async () => {
  own = await startOwnApi();
  listener = new DatabaseListener({
    url: own.services.config.DATABASE_URL as string,
    channels: { [ACCESS_CHANNEL]: (payload) => feed.notified(payload) },
    log: pino({ level: 'silent' }),
  });
  other = new pg.Client({ connectionString: own.services.config.DATABASE_URL });
  await other.connect();
  // A notification arrives, so it is listening.
  let hears = false;
  const stop = feed.subscribe(() => {
    hears = true;
  });
  await poll(async () => {
    await other.query(`SELECT pg_notify('${ACCESS_CHANNEL}', 'nobody')`);
    return hears;
  }).toBe(true);
  stop();
  const services = { ...own.services, openStreams: openStreamsOf(own.database, feed) };
  const followed = (id: string, isAllowed?: (caller: Caller) => Promise<boolean>) => {
    const stream = new PassThrough();
    stream.write('event: first\ndata: {}\n\n');
    streams.set(id, stream);
    return new EventStream(stream, {}, isAllowed);
  };
  const operations = {
    ...OPERATIONS,
    streamExecution: async ({ params }: { params: { executionId: string } }) => {
      await held;
      return followed(params.executionId);
    },
    resumeMessageStream: async ({ params }: { params: { agentId: string; taskId: string } }) =>
      followed(params.taskId, (caller) => mayFollowTask(own.database, caller, params)),
  } as unknown as OperationTable;
  url = await own.serve(buildApp(services, operations));
});
afterAll(async () => {
  await listener?.stop();
  await other?.end();
  await own?.dispose();
});

/** Reads the first event; `ended` resolves when the server ends the response properly. */
async function follow(path: string, credential: string) {
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${credential}` } });
  expect(response.status).toBe(200);
  const reader = response.body?.getReader();
  await reader?.read();
  const ended = (async () => {
    while (!(await reader?.read())?.done);
    return true;
  })();
  // Streams that do not end break with the server after the tests.
  ended.catch(() => undefined);
  return { ended };
}

const execution = () => `/api/executions/${v7()}/stream`;

async function key(...permissions: Parameters<typeof insertApiKey>[2]['permissions']) {
  const { key: credential, hash, prefix } = makeApiKey();
  const id = v7();
  await insertApiKey(own.database, own.workspaceId, { id, name: 'k', hash, prefix, permissions, expiresAt: null });
  return { id, credential, hash };
}

async function person(role: Role) {
  const { workspaceId } = own;
  const userId = v7();
  const sessionId = v7();
  await own.database.user.create({ data: { id: userId, email: `${userId}@example.com`, name: 'p' } });
  await own.database.workspaceUser.create({ data: { workspaceId, userId, role } });
  const expiresAt = new Date(Date.now() + 600_000);
  await own.database.session.create({ data: { id: sessionId, loginId: sessionId, workspaceId, userId, expiresAt } });
  return { userId, sessionId, credential: own.services.tokens.signAccess({ userId, workspaceId, role, sessionId }) };
}

test('a key that any process revokes ends its own streams, and no others', async () => {
  const [revoked, stays] = [await key('executions:read'), await key('executions:read')];
  const path = execution();
  const one = await follow(path, revoked.credential);
  const two = await follow(execution(), revoked.credential);
  const bystander = execution();
  await follow(bystander, stays.credential);
  await other.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [revoked.id]);
  expect(await Promise.all([one.ended, two.ended])).toEqual([true, true]);
  // Its buffered data is released.
  await poll(() => streams.get(path.split('/')[3] as string)?.destroyed).toBe(true);
  expect(streams.get(bystander.split('/')[3] as string)?.destroyed).toBe(false);
  const again = await fetch(`${url}${path}`, { headers: { 'x-api-key': revoked.credential } });
  expect(again.status).toBe(401);
});

test.each([
  ['whose login was ended', 'UPDATE sessions SET revoked_at = now() WHERE user_id = $1'],
  ['whose login is gone', 'DELETE FROM sessions WHERE user_id = $1'],
  ['who was removed from the workspace', 'DELETE FROM workspace_users WHERE user_id = $1'],
  ['whose new role may not read it', "UPDATE workspace_users SET role = 'consumer' WHERE user_id = $1"],
])('a person %s follows no longer', async (_, statement) => {
  const { userId, credential } = await person('builder');
  const { ended } = await follow(execution(), credential);
  await other.query(statement, [userId]);
  expect(await ended).toBe(true);
});

test('a new role that may read it too ends nothing', async () => {
  const [promoted, removed] = [await person('builder'), await person('builder')];
  const path = execution();
  await follow(path, promoted.credential);
  await other.query("UPDATE workspace_users SET role = 'owner' WHERE user_id = $1", [promoted.userId]);
  // Sent later for the same workspace: when it has ended, both have been checked.
  const { ended } = await follow(execution(), removed.credential);
  await other.query('DELETE FROM sessions WHERE user_id = $1', [removed.userId]);
  expect(await ended).toBe(true);
  expect(streams.get(path.split('/')[3] as string)?.destroyed).toBe(false);
});

test('a grant that is taken back ends the turns that its caller follows', async () => {
  const { workspaceId, projectId } = own;
  const agentId = v7();
  const definition = agentDefinition({ instructions: 'Help.', model: 'm' }) as object;
  const agent = { id: agentId, workspaceId, projectId, slug: agentId, name: 'a', definition, hash: new Uint8Array(32) };
  await own.database.agent.create({ data: agent });
  const [granted, reads] = [await key('agents:use'), await key('agents:use', 'agents:read')];
  const grantId = v7();
  await own.database.shareGrant.create({ data: { id: grantId, workspaceId, agentId, apiKeyId: granted.id } });
  const path = async () => {
    const id = v7();
    await own.database.task.create({ data: { id, clientId: id, workspaceId, agentId, createdByApiKeyId: granted.id } });
    return `/api/agents/${agentId}/tasks/${id}/stream-message`;
  };
  const [mine, theirs] = [await path(), await path()];
  const { ended } = await follow(mine, granted.credential);
  await follow(theirs, reads.credential);
  await other.query('DELETE FROM share_grants WHERE id = $1', [grantId]);
  expect(await ended).toBe(true);
  expect(streams.get(theirs.split('/')[5] as string)?.destroyed).toBe(false);
});

test('a revocation while a stream begins ends it as well', async () => {
  const { after, goOn: release } = gate();
  held = after;
  const { id, credential } = await key('executions:read');
  const arrived = new Promise<void>((resolve) => {
    const stop = feed.subscribe(() => {
      stop();
      resolve();
    });
  });
  const following = follow(execution(), credential);
  // The caller has been admitted once its last use is recorded.
  await poll(async () => (await own.database.apiKey.findUniqueOrThrow({ where: { id } })).lastUsedAt).not.toBeNull();
  await other.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [id]);
  await arrived;
  release();
  expect(await (await following).ended).toBe(true);
});

test('streams of one workspace are checked side by side, and never more than the limit', async () => {
  const { id: apiKeyId, hash: keyHash } = await key('executions:read');
  const caller: Caller = {
    kind: 'apiKey',
    apiKeyId,
    keyHash,
    workspaceId: own.workspaceId,
    permissions: new Set(),
  };
  const several = openStreamsOf(own.database, new AccessFeed());
  let [checked, most, ended] = [0, 0, 0];
  const waiting = new Set<() => void>();
  const isAllowed = async () => {
    checked += 1;
    // Each check waits until as many as the limit are running; one after the other they would never finish.
    if (checked <= CHECKS_AT_ONCE) {
      await new Promise<void>((resolve) => {
        waiting.add(resolve);
        most = Math.max(most, waiting.size);
        if (checked === CHECKS_AT_ONCE) for (const go of waiting) go();
      });
    }
    return false;
  };
  const end = () => {
    ended += 1;
  };
  const count = 3 * CHECKS_AT_ONCE;
  for (let stream = 0; stream < count; stream++)
    several.add({ caller, isAllowed, end }, several.news - (stream === count - 1 ? 1 : 0));
  await poll(() => ended).toBe(count);
  expect([checked, most]).toEqual([count, CHECKS_AT_ONCE]);
  several.stop();
});
