import { expect, test } from '@jest/globals';
import { sampleRequest } from './sampleRequest.ts';

const NOW = 1_700_000_000_500;
const sample = { method: 'POST' as const, body: '{"größe": 1}', secret: 'open sesame', signingSecret: 'key' };

// Made by `openssl dgst -sha256 -hmac key` from `1700000000.{"größe": 1}` from `v0:1700000000:{"größe": 1}` and from the body alone.
const TIMED = '6ed0b90460c771c2975a33b32b43a5308ad4e3cffc55fe4f694fb6f426ecc45c';
const SLACK = 'd74522b99daae7b9709a84d37e6357e6236d60aa961b9e85aa4f7340a913037e';
const PLAIN = 'a8276a53ecdc9f882c4460f3546a696553171b702d987d16d4131dbd5fb61ba3';

test('a sample is signed as the trigger wants it, over the bytes of its text', () => {
  expect(sampleRequest({ hmac: {} }, sample, NOW).headers).toMatchObject({
    'X-Signature': `t=1700000000,v1=${TIMED}`,
  });
  expect(sampleRequest({ hmac: { format: 'body', header: 'X-Hub' } }, sample, NOW).headers).toMatchObject({
    'X-Hub': PLAIN,
  });
  expect(sampleRequest({ hmac: { format: 'slack' } }, sample, NOW).headers).toMatchObject({
    ...{ 'X-Slack-Request-Timestamp': '1700000000', 'X-Slack-Signature': `v0=${SLACK}` },
  });
});

test('a secret is shown where the trigger has one, and only a JSON text is sent as JSON', () => {
  expect(sampleRequest({ secret: '***' }, sample, NOW).headers).toEqual({
    ...{ 'Content-Type': 'application/json', 'X-Webhook-Secret': 'open sesame' },
  });
  expect(sampleRequest({}, { ...sample, body: 'a: 1' }, NOW)).toEqual({
    ...{ method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'a: 1' },
  });
  expect(sampleRequest({}, { ...sample, method: 'GET' }, NOW)).toEqual({ method: 'GET', headers: {} });
});
