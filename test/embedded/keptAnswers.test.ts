import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pino from 'pino';
import { answerOnce, type KeyedRequest, type KeyScope } from '../../api/pipeline/idempotency.ts';
import { jsonReply } from '../../api/pipeline/reply.ts';
import type { Services } from '../../api/services.ts';
import { readConfig } from '../../config.ts';
import { Problem } from '../../domain/problem.ts';
import { createSealer } from '../../engine/secrets/sealer.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnWorkspace } from '../setup/database/ownRows.ts';
import { poll } from '../setup/jest/poll.ts';

let own: MigratedDatabase;

beforeAll(async () => {
  own = await startMigratedDatabase(4);
});
afterAll(() => own?.dispose());

const LOCK_MS = 300;
const keyOf = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const first = keyOf('k1');

/** One workspace and one key, as in the pipeline. `lockMs`: how long a claim lasts without renewal. */
async function keyed({ isSecret = false, keys = first } = {}) {
  const workspaceId = await insertOwnWorkspace(own.database);
  const config = readConfig({ IDEMPOTENCY_LOCK_MS: String(LOCK_MS) });
  const servicesOf = (encryption: string) =>
    ({
      config,
      database: own.database,
      sealer: createSealer(encryption),
      log: pino({ level: 'silent' }),
    }) as unknown as Services;
  const scope: KeyScope = { workspaceId, operation: 'createThing', key: randomUUID(), isSecret };
  const requestOf = (services: Services): KeyedRequest => ({
    params: {},
    query: {},
    body: { a: 1 },
    method: 'POST',
    requestId: 'r',
    resourceId: randomUUID(),
    services,
  });
  const once = (run: Parameters<typeof answerOnce<never>>[2], encryption = keys) =>
    answerOnce(requestOf(servicesOf(encryption)), scope, run);
  const stored = () =>
    own.database.$queryRaw<{ status: number | null; answer: unknown }[]>`
      SELECT status, answer, encode(sealed_body, 'escape') AS sealed, key_id FROM idempotency_keys WHERE workspace_id = ${workspaceId}::uuid AND key = ${scope.key}`;
  const lockedUntil = async () => {
    const [row] = await own.database.$queryRaw<{ ms: number }[]>`
      SELECT extract(epoch FROM locked_until)::float8 * 1000 AS ms FROM idempotency_keys
      WHERE workspace_id = ${workspaceId}::uuid AND key = ${scope.key}`;
    return row?.ms ?? 0;
  };
  return { once, stored, lockedUntil };
}

const never = () => Promise.reject(new Error('the request ran again'));

test('a request that runs longer than its claim holds is taken over by nobody', async () => {
  const { once, lockedUntil } = await keyed();
  let finish = () => {};
  const running = once(async () => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    return jsonReply(201, { made: true });
  });
  await poll(lockedUntil).toBeGreaterThan(0);
  const begun = await lockedUntil();
  await poll(lockedUntil, { timeout: 20_000 }).toBeGreaterThan(begun + 3 * LOCK_MS);
  await expect(once(never)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('still running'),
  });
  finish();
  expect(await running).toMatchObject({ status: 201, body: '{"made":true}' });
  expect(await once(never)).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } });
});

test.each([429, 500, 503])('an answer of %i is not kept: the next try runs, for the same thing', async (status) => {
  const { once } = await keyed();
  const ids: string[] = [];
  const refused = await once(async (id) => {
    ids.push(id);
    return jsonReply(status, {});
  });
  expect(refused.status).toBe(status);
  const made = await once(async (id) => {
    ids.push(id);
    return jsonReply(201, { id });
  });
  expect([made.status, new Set(ids).size]).toEqual([201, 1]);
});

test('a refusal that is thrown is kept, but for too many requests', async () => {
  const { once } = await keyed();
  const busy = new Problem('RATE_LIMITED', 'too many', { retryAfter: 1 });
  await expect(once(() => Promise.reject(busy))).rejects.toBe(busy);
  const refused = await once(() => Promise.reject(new Problem('NOT_FOUND', 'There is no such thing')));
  const again = await once(never);
  expect([again.status, again.body]).toEqual([404, refused.body]);
});

test('an answer with a secret is given again, and kept where ENCRYPTION_KEY alone reads it', async () => {
  const { once, stored } = await keyed({ isSecret: true });
  const secret = `pdr_${randomUUID()}`;
  const made = await once(async () => jsonReply(201, { apiKey: secret }));
  const again = await once(never);
  expect([again.status, again.body, again.headers['idempotency-replayed']]).toEqual([201, made.body, 'true']);
  const text = JSON.stringify(await stored());
  expect(text).toContain('"key_id":"k1"');
  expect(text).not.toContain(secret);
  expect((await once(never, `${keyOf('k2')},${first}`)).body).toBe(made.body);
  await expect(once(never, keyOf('k2'))).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('an answer without a secret is kept as it is', async () => {
  const { once, stored } = await keyed();
  await once(async () => jsonReply(201, { id: 'plain' }));
  expect(JSON.stringify(await stored())).toContain('plain');
});
