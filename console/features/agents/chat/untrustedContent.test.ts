import { expect, test } from '@jest/globals';
import { isShowable } from './untrustedContent.ts';

test.each([
  ['data:image/png;base64,AAAA', true],
  ['/console/assets/perdure.svg', true],
  ['https://perdure.example/console/assets/perdure.svg', true],
  ['https://perdure.example/a.png', false],
  ['/api/webhooks/workflows/x?d=balance', false],
  ['api/webhooks/workflows/x', false],
  ['/console/assets/../../api/webhooks/workflows/x', false],
  ['/console/assets/a.svg?d=balance', false],
  ['https://elsewhere.example/a.png', false],
  ['//elsewhere.example/a.png', false],
  ['data:image/svg+xml;base64,AAAA', false],
  ['data:text/html;base64,AAAA', false],
  ['javascript:alert(1)', false],
  ['http://[', false],
])('a picture at %s is shown: %s', (address, expected) => {
  expect(isShowable(address, 'https://perdure.example')).toBe(expected);
});
