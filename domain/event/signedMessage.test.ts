import { expect, test } from '@jest/globals';
import { isSigningSecret, shownSigningSecret, signedHeaders } from './signedMessage.ts';

const secret = shownSigningSecret(Buffer.alloc(32, 7));

test('the signature is that of the example in the standard', () => {
  const headers = signedHeaders('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    sentAt: new Date(1_614_265_330_000),
    body: '{"test": 2432232314}',
  });
  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test.each([
  [secret, true],
  [shownSigningSecret(Buffer.alloc(24)), true],
  [shownSigningSecret(Buffer.alloc(64)), true],
  [shownSigningSecret(Buffer.alloc(23)), false],
  [shownSigningSecret(Buffer.alloc(65)), false],
  [secret.replace('whsec_', ''), false],
  [`${secret}!`, false],
  ['whsec_', false],
])('%s: %s', (text, is) => expect(isSigningSecret(text)).toBe(is));
