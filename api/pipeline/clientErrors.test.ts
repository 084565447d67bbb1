import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from '@jest/globals';
import pino from 'pino';
import { onTestFinished } from '../../test/setup/jest/onTestFinished.ts';
import { answerClientErrors } from './clientErrors.ts';

test('closes an unused connection silently', async () => {
  const server = createServer({ headersTimeout: 20, connectionsCheckingInterval: 10 });
  server.on('clientError', answerClientErrors(pino({ level: 'silent' }), 20)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  expect(answer).toBe('');
});
