import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface Received {
  to: string[];
  /** The whole message, with folded lines joined. */
  text: string;
}

export interface TestSmtpServer {
  url: string;
  received: Received[];
  /** The response code to messages from now on; undefined accepts them. */
  refuseWith: number | undefined;
  dispose(): Promise<void>;
}

export async function startSmtpServer(): Promise<TestSmtpServer> {
  const own: TestSmtpServer = { url: '', received: [], refuseWith: undefined, dispose };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.once('end', () => {
        if (own.refuseWith !== undefined) {
          done(Object.assign(new Error('not now'), { responseCode: own.refuseWith }));
          return;
        }
        const text = Buffer.concat(parts).toString('utf8').replaceAll('=\r\n', '').replaceAll('=3D', '=');
        own.received.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  own.url = `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  return own;

  function dispose(): Promise<void> {
    return new Promise((resolve) => server.close(() => resolve()));
  }
}

export function tokenIn({ text }: Received): string {
  const token = /verify-token\?token=([\w-]+)/.exec(text)?.[1];
  if (token === undefined) throw new Error(`no link in ${text}`);
  return token;
}
