import { expect, test } from '@jest/globals';
import { readConfig } from '../../config.ts';
import { reconnectTimeoutMs } from './reconnect.ts';

// test/api/oauth2Waits.test.ts covers the waiting and failing itself, with the node's own timeout.
test('a step waits RECONNECT_TIMEOUT_MS for its connection, but for a node that says another time; up to a year', () => {
  const config = readConfig({ RECONNECT_TIMEOUT_MS: '5000' });
  expect(reconnectTimeoutMs({}, config)).toBe(5_000);
  expect(reconnectTimeoutMs({ onReconnectTimeoutMs: 1_500 }, config)).toBe(1_500);
  expect(reconnectTimeoutMs({}, readConfig({}))).toBe(7 * 86_400_000);
  for (const wrong of ['0', '31536000001']) {
    expect(() => readConfig({ RECONNECT_TIMEOUT_MS: wrong })).toThrow('RECONNECT_TIMEOUT_MS');
  }
});
