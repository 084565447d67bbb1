import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { AddressGuard } from '../guard/addressGuard.ts';
import { openGuardedSocket } from '../guard/guardedSocket.ts';
import type { MailServer } from '../mail/serverSettings.ts';

export const PORTS = { plain: 587, secure: 465 };

const SILENCE_MS = 60_000;

/** Connects and logs in. Throws errors of nodemailer, and those of the guard. The connection ends with the work. */
export async function withSession<T>(
  server: MailServer,
  { guard, signal }: { guard: AddressGuard; signal: AbortSignal },
  work: (connection: SMTPConnection) => Promise<T>,
): Promise<T> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  const socket = await openGuardedSocket(guard, server, signal);
  const connection = new Connection({
    ...{ host: server.host, port: server.port, secure: server.secure, tls: server.tls },
    ...(server.isTrusted ? { opportunisticTLS: true } : { requireTLS: !server.secure }),
    ...{ connection: socket, greetingTimeout: SILENCE_MS, socketTimeout: SILENCE_MS },
    name: 'perdure',
  });
  try {
    const broken = new Promise<never>((_, fail) => {
      connection.once('error', fail);
      connection.once('end', () => fail(Object.assign(new Error('The connection ended'), { code: 'ECONNECTION' })));
    });
    broken.catch(() => undefined);
    connection.on('error', () => undefined);
    return await Promise.race([loggedIn(connection, server).then(() => work(connection)), broken]);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    connection.close();
    socket.destroy();
  }
}

async function loggedIn(connection: SMTPConnection, { login }: MailServer): Promise<void> {
  await new Promise<void>((done, fail) => {
    connection.connect((error) => (error ? fail(error) : done()));
  });
  if (login === undefined) return;
  const { user, password: pass } = login;
  await new Promise<void>((done, fail) => {
    connection.login({ credentials: { user, pass } }, (error) => (error ? fail(error) : done()));
  });
}
