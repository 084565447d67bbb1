// test: long
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createWorkspace } from '../../api/access/createWorkspace.ts';
import { api } from '../setup/api/client.ts';
import { fromElsewhere } from '../setup/api/fromElsewhere.ts';
import { type OwnApi, startOwnApi } from '../setup/stack/ownApi.ts';

const EMAIL = 'w@example.com';
/** `LOGIN_TRIES=200` also compares times (`npm run test:long`): that many pairs, each in random order. */
const TRIES = Number(process.env.LOGIN_TRIES ?? 2);
const ENOUGH_TO_COMPARE = 100;
const MAY_DIFFER = 0.05;

let own: OwnApi;
beforeAll(async () => {
  own = await startOwnApi();
});
afterAll(() => own?.dispose());

async function tookMs(path: string, body: object): Promise<number> {
  // Clears the counted failures, because the limit is not under test.
  await own.database.loginFailure.deleteMany();
  const headers = fromElsewhere();
  const startedAt = performance.now();
  const { status } = await api(own.url)('POST', path, { body, headers });
  const took = performance.now() - startedAt;
  expect(status).toBe(401);
  return took;
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function compare(ask: Record<'known' | 'unknown', () => Promise<number>>): Promise<void> {
  const times = { known: [] as number[], unknown: [] as number[] };
  for (const kind of ['known', 'unknown'] as const) await ask[kind]();
  for (let index = 0; index < TRIES; index += 1) {
    const pair = Math.random() < 0.5 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
    for (const kind of pair) times[kind].push(await ask[kind]());
  }
  const [known, unknown] = [median(times.known), median(times.unknown)];
  if (TRIES < ENOUGH_TO_COMPARE) return;
  console.log(`medians of ${TRIES}: known ${known.toFixed(1)} ms, unknown ${unknown.toFixed(1)} ms`);
  expect(Math.abs(unknown / known - 1)).toBeLessThan(MAY_DIFFER);
}

test(
  'a wrong password and an unknown e-mail address take the same time',
  () => {
    const tookOf = (email: string) => tookMs('/api/auth/login', { email, password: 'not the password' });
    return compare({ known: () => tookOf(EMAIL), unknown: () => tookOf(`${randomUUID()}@example.com`) });
  },
  30_000 + TRIES * 2_000,
);

test(
  'a refused password of a handed-over token takes the same time, whether or not its address has an account',
  async () => {
    const { apiKey } = await createWorkspace(own.database, { name: 'Other', email: `${randomUUID()}@example.com` });
    const handed = async (email: string) => {
      const { body } = await api(own.url, apiKey)('POST', '/api/workspace/users', { body: { email, role: 'viewer' } });
      return () => tookMs('/api/auth/login-with-token', { token: body.invitation.token, password: 'Password123' });
    };
    await compare({ known: await handed(EMAIL), unknown: await handed(`${randomUUID()}@example.com`) });
  },
  30_000 + TRIES * 2_000,
);
