import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { createWorkspace } from '../../api/access/createWorkspace.ts';
import { endLogin, findSession, insertSession, switchSession } from '../../prisma/store/session/sessions.ts';
import { setPassword } from '../../prisma/store/user/users.ts';
import { lockWaits } from '../setup/database/lockWaits.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { poll } from '../setup/jest/poll.ts';
import { TEST_HASH_COST } from '../setup/workspace/workspace.ts';

// Sessions that begin while their login ends do not survive either.

let own: MigratedDatabase;
beforeAll(async () => {
  own = await startMigratedDatabase(4);
}, 90_000);
afterAll(() => own?.dispose());

/** PGlite has one session, so nothing runs in parallel. */
const withSessions = process.env.DATABASE_URL ? test : test.skip;
const expiresAt = new Date(Date.now() + 60_000);

async function someone() {
  const email = `${v7()}@example.com`;
  const { workspaceId } = await createWorkspace(own.database, { name: 'A', email }, TEST_HASH_COST);
  const { id, passwordHash } = await own.database.user.findUniqueOrThrow({ where: { email } });
  return { email, workspaceId, userId: id, passwordHash: String(passwordHash) };
}

/** Begins the session `id`, which another transaction blocks, and sends `end` before that has finished. */
async function whileBeginning<T>(
  { workspaceId, userId }: { workspaceId: string; userId: string },
  id: string,
  begin: () => Promise<unknown>,
  end: () => Promise<T>,
): Promise<T> {
  const { pool } = own.database;
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(
      'INSERT INTO sessions (id, workspace_id, user_id, login_id, expires_at) VALUES ($1, $2, $3, $1, now())',
      [id, workspaceId, userId],
    );
    const begun = begin();
    await poll(() => lockWaits(own.database)).toBe(1);
    let hasEnded = false;
    const ended = end().finally(() => {
      hasEnded = true;
    });
    await poll(async () => hasEnded || (await lockWaits(own.database)) === 2).toBe(true);
    await client.query('ROLLBACK');
    await begun;
    return await ended;
  } finally {
    client.release(true);
  }
}

withSessions('a switch of the workspace during the end of its login', async () => {
  const { database } = own;
  const { email, workspaceId, userId } = await someone();
  const other = await createWorkspace(database, { name: 'B', email }, TEST_HASH_COST);
  const [from, id] = [v7(), v7()];
  await insertSession(database, workspaceId, { id: from, userId, isProof: true, network: '', expiresAt });
  const ended = await whileBeginning(
    { workspaceId, userId },
    id,
    () => switchSession(database, other.workspaceId, { id, userId, from }),
    () => endLogin(database, workspaceId, { userId, sessionId: from }),
  );
  expect(ended).toBe(true);
  expect(await findSession(database, other.workspaceId, { userId, sessionId: id })).toBeUndefined();
  expect(await switchSession(database, other.workspaceId, { id: v7(), userId, from })).toBeUndefined();
});

withSessions('a login by the old password during the change of the password', async () => {
  const { database } = own;
  const person = await someone();
  const { workspaceId, userId, passwordHash } = person;
  const [kept, id] = [v7(), v7()];
  await insertSession(database, workspaceId, { id: kept, userId, isProof: true, network: '', expiresAt });
  const changed = await whileBeginning(
    person,
    id,
    () => insertSession(database, workspaceId, { id, userId, passwordHash, isProof: true, network: '', expiresAt }),
    () => setPassword(database, userId, 'another', { kept, instead: passwordHash }),
  );
  expect(changed).toBe(true);
  expect(await findSession(database, workspaceId, { userId, sessionId: id })).toBeUndefined();
  expect(await findSession(database, workspaceId, { userId, sessionId: kept })).toEqual({
    role: 'owner',
    appsRevision: 0,
  });
});
