import { expect, test } from '@jest/globals';
import { loopback } from '../../../test/setup/providers/loopback.ts';
import { buildConnectionChecks } from '../connectionChecks.ts';

test('a provider that does not answer is left after CONNECTION_CHECK_TIMEOUT_MS, and the credentials are not taken', async () => {
  const server = await loopback(() => undefined);
  const checks = buildConnectionChecks({ allowedPrivateHosts: ['127.0.0.1'], timeoutMs: 200 });
  const credentials = { apiKey: 'sk-x', baseUrl: server.url };
  expect(await checks.get('openai')?.('apiKey', credentials, 'w')).toBe(
    'The model provider did not answer within 200 ms',
  );
  expect(server.calls.map(({ url }) => url)).toEqual(['/models']);
});
