import { expect, test } from '@jest/globals';
import { webhookCommand } from './webhookCommand.ts';

const URL = 'http://perdure.test/api/webhooks/workflows/w';

test.each([
  ['nothing', {}, `BODY='{"example": true}'\ncurl '${URL}' \\\n  -H 'Content-Type: application/json' \\\n  -d "$BODY"`],
  [
    'a secret, by GET alone',
    { methods: ['GET'] as const, secret: '********' },
    `curl '${URL}' \\\n  -H "X-Webhook-Secret: $SECRET"`,
  ],
])('a webhook that wants %s is called so', (_, needs, command) => {
  expect(webhookCommand(URL, needs)).toBe(command);
});

test('a signature is made before the call, over what the trigger signs', () => {
  const timestamped = webhookCommand(URL, { hmac: {} }).split('\n');
  expect(timestamped[1]).toBe('TIME=$(date +%s)');
  expect(timestamped[2]).toContain(`printf '%s.%s' "$TIME" "$BODY"`);
  expect(timestamped.join('\n')).toContain('-H "X-Signature: t=$TIME,v1=$SIGNATURE"');
  const plain = webhookCommand(URL, { hmac: { format: 'body', header: 'X-Hub-Signature-256' } });
  expect(plain).toContain(`SIGNATURE=$(printf '%s' "$BODY"`);
  expect(plain).toContain('-H "X-Hub-Signature-256: $SIGNATURE"');
  const slack = webhookCommand(URL, { hmac: { format: 'slack' }, appId: 'slack' });
  expect(slack).toContain(`printf 'v0:%s:%s' "$TIME" "$BODY"`);
  expect(slack).toContain('-H "X-Slack-Request-Timestamp: $TIME" \\\n  -H "X-Slack-Signature: v0=$SIGNATURE"');
});
