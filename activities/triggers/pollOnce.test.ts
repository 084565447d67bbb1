import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { readConfig } from '../../config.ts';
import { buildCatalogue } from '../apps/catalogue.ts';
import { type Poller, pollFailed } from '../apps/poller.ts';
import type { ActivityServices } from '../services.ts';
import { pollOnce } from './pollOnce.ts';

const trigger = { appId: 'http', triggerId: 'poll', inputs: { url: 'http://x.test' }, everyMs: 1_000 };

function look(poller: Poller, cancellation = new AbortController().signal) {
  const services = {
    catalogue: buildCatalogue({ testing: false }),
    config: { ...readConfig({}), POLL_TIMEOUT_MS: 20 },
    pollerOf: () => poller,
    log: pino({ level: 'silent' }),
  } as unknown as ActivityServices;
  return pollOnce(services, 'w', trigger, { cursor: { at: 1 }, sinceTransaction: '0' }, cancellation);
}

test('the poller gets inputs with their defaults, and its cursor', async () => {
  const result = await look(async ({ inputs, cursor }) => ({ ok: true, items: [{ key: 'k', item: inputs }], cursor }));
  expect(result).toEqual({
    ok: true,
    items: [{ key: 'k', item: { url: 'http://x.test', idPath: 'id' } }],
    cursor: { at: 1 },
  });
});

test('a poller that ignores its signal is abandoned after POLL_TIMEOUT_MS', async () => {
  expect(await look(() => new Promise(() => {}))).toMatchObject({
    ok: false,
    failure: { code: 'TIMEOUT', message: 'Not finished within 20 ms.' },
  });
});

test('a poller that throws is a failure to be seen', async () => {
  const throws: Poller = async () => {
    throw new Error('broken');
  };
  expect(await look(throws)).toMatchObject({ ok: false, failure: { code: 'TRIGGER_CRASHED', message: 'broken' } });
});

test('an interrupted poll is not a timed-out poll', async () => {
  const stops = new AbortController();
  const interrupted: Poller = () => {
    stops.abort();
    return new Promise(() => {});
  };
  await expect(look(interrupted, stops.signal)).rejects.toThrow(/abort/i);
  // The same for a failed poll whose poller reports the abort.
  const says: Poller = async () => pollFailed('REQUEST_FAILED', 'aborted');
  await expect(look(says, AbortSignal.abort())).rejects.toThrow(/abort/i);
});

test('cancellation is no failure of the look', async () => {
  const cancelled = AbortSignal.abort();
  const heeds: Poller = async ({ signal }) => {
    signal.throwIfAborted();
    throw new Error('not aborted');
  };
  await expect(look(heeds, cancelled)).rejects.toThrow(/abort/i);
});
