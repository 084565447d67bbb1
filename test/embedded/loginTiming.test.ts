import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { api } from '../setup/client.ts';
import { fromElsewhere } from '../setup/fromElsewhere.ts';
import { type OwnApi, startOwnApi } from '../setup/ownApi.ts';

const EMAIL = 'w@example.com';
/** `LOGIN_TRIES=200` compares times as well (`npm run test:long`): of each kind so many, in turn, the first of a pair by chance. */
const TRIES = Number(process.env.LOGIN_TRIES ?? 2);
const ENOUGH_TO_COMPARE = 100;
const MAY_DIFFER = 0.05;

let own: OwnApi;
beforeAll(async () => {
  own = await startOwnApi();
});
afterAll(() => own?.dispose());

async function tookMs(email: string): Promise<number> {
  // Clears the counted failures: the limit is not under test.
  await own.database.loginFailure.deleteMany();
  const body = { email, password: 'not the password' };
  const headers = fromElsewhere();
  const startedAt = performance.now();
  const { status } = await api(own.url)('POST', '/api/auth/login', { body, headers });
  const took = performance.now() - startedAt;
  expect(status).toBe(401);
  return took;
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

test(
  'a wrong password and an unknown e-mail address take the same time',
  async () => {
    const times = { known: [] as number[], unknown: [] as number[] };
    const ask = {
      known: async () => times.known.push(await tookMs(EMAIL)),
      unknown: async () => times.unknown.push(await tookMs(`${randomUUID()}@example.com`)),
    };
    for (const kind of ['known', 'unknown'] as const) await ask[kind]();
    times.known.length = times.unknown.length = 0;
    for (let index = 0; index < TRIES; index += 1) {
      const pair = Math.random() < 0.5 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
      for (const kind of pair) await ask[kind]();
    }
    const [known, unknown] = [median(times.known), median(times.unknown)];
    if (TRIES < ENOUGH_TO_COMPARE) return;
    console.log(`medians of ${TRIES}: known ${known.toFixed(1)} ms, unknown ${unknown.toFixed(1)} ms`);
    expect(Math.abs(unknown / known - 1)).toBeLessThan(MAY_DIFFER);
  },
  30_000 + TRIES * 2_000,
);
