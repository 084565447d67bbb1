import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { onTestFinished } from '../../test/setup/jest/onTestFinished.ts';
import { createMailer, MailRefused } from './mailer.ts';

test('a mail server that says nothing is left after MAIL_TIMEOUT_MS, and the mail may be sent again', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const SMTP_URL = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const mailer = await createMailer({ SMTP_URL, MAIL_FROM: 'a@example.com', MAIL_TIMEOUT_MS: 200 });
  onTestFinished(() => mailer?.close());
  const failure = await mailer?.send({ to: 'b@example.com', subject: 's', text: 't' }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'ETIMEDOUT' });
  expect(failure).not.toBeInstanceOf(MailRefused);
  expect(sockets).toHaveLength(1);
});
