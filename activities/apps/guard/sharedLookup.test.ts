import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { expect, it } from '@jest/globals';
import { poll } from '../../../test/setup/jest/poll.ts';
import { buildRequest } from '../http/request.ts';
import { shareLookups } from './sharedLookup.ts';

function resolver() {
  const asked: { hostname: string; callback: Parameters<LookupFunction>[2] }[] = [];
  const lookup: LookupFunction = (hostname, _options, callback) => void asked.push({ hostname, callback });
  return { asked, lookup };
}

function ask(lookup: LookupFunction, hostname: string, family = 0): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) =>
    lookup(hostname, { all: true, family }, (error, found) =>
      error ? reject(error) : resolve(found as LookupAddress[]),
    ),
  );
}

const dead = () => Object.assign(new Error('getaddrinfo EAI_AGAIN dead.test'), { code: 'EAI_AGAIN' });

it('simultaneous requests for one name share one lookup, and each gets its own list', async () => {
  const { asked, lookup } = resolver();
  const shared = shareLookups(lookup);
  const answers = Array.from({ length: 100 }, () => ask(shared, 'a.test'));
  const other = ask(shared, 'b.test');
  const ofFamily = ask(shared, 'a.test', 6);
  expect(asked.map(({ hostname }) => hostname)).toEqual(['a.test', 'b.test', 'a.test']);
  for (const { callback } of asked) callback(null, [{ address: '192.0.2.1', family: 4 }]);
  const [first, second] = await Promise.all([...answers, other, ofFamily]);
  expect(first).toEqual([{ address: '192.0.2.1', family: 4 }]);
  expect(second).toEqual(first);
  expect(second?.[0]).not.toBe(first?.[0]);
});

it('a result is not reused by later requests', async () => {
  const { asked, lookup } = resolver();
  const shared = shareLookups(lookup);
  const before = ask(shared, 'a.test');
  asked[0]?.callback(null, [{ address: '192.0.2.1', family: 4 }]);
  await before;
  const after = ask(shared, 'a.test');
  asked[1]?.callback(null, [{ address: '192.0.2.2', family: 4 }]);
  expect(await after).toEqual([{ address: '192.0.2.2', family: 4 }]);
});

it('a failure reaches every waiting request, and later ones for a while', async () => {
  const { asked, lookup } = resolver();
  const shared = shareLookups(lookup, 300);
  const together = [ask(shared, 'dead.test'), ask(shared, 'dead.test')];
  asked[0]?.callback(dead(), []);
  const outcomes = await Promise.allSettled([...together, ask(shared, 'dead.test')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await expect(ask(shared, 'dead.test')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  expect(asked).toHaveLength(1);
  const askAgain = () => {
    ask(shared, 'dead.test').catch(() => undefined);
    return asked.length;
  };
  await poll(askAgain).toBe(2);
});

it('requests at one dead name are one lookup', async () => {
  const { asked, lookup } = resolver();
  const request = buildRequest({ allowedPrivateHosts: [], maxResponseBytes: 1_000, lookup });
  const inputs = { method: 'GET', url: 'http://dead.test/' };
  const call = { inputs, idempotencyKey: 'k', attempt: 1, signal: new AbortController().signal };
  const answers = Array.from({ length: 20 }, () => request(call));
  await poll(() => asked.length).toBe(1);
  asked[0]?.callback(dead(), []);
  for (const answer of await Promise.all(answers)) expect(answer.ok).toBe(false);
  expect(asked).toHaveLength(1);
});

it('each connection is checked, even with a shared lookup: none reaches a private address', async () => {
  const { asked, lookup } = resolver();
  const request = buildRequest({ allowedPrivateHosts: ['private.test:1'], maxResponseBytes: 1_000, lookup });
  const call = { idempotencyKey: 'k', attempt: 1, signal: new AbortController().signal };
  const to = (port: number) => request({ ...call, inputs: { method: 'GET', url: `http://private.test:${port}/` } });
  const answers = [to(1), to(2), to(3)];
  await poll(() => asked.length).toBeGreaterThan(0);
  for (const { callback } of asked) callback(null, [{ address: '127.0.0.1', family: 4 }]);
  const codes = (await Promise.all(answers)).map((answer) => (answer.ok ? 'ok' : answer.failure.code));
  expect(codes.slice(1)).toEqual(['HTTP_REFUSED_ADDRESS', 'HTTP_REFUSED_ADDRESS']);
  expect(codes[0]).not.toBe('HTTP_REFUSED_ADDRESS');
});
