import { connect as connectTls } from 'node:tls';
import type { ImapFlow } from 'imapflow';
import type { AddressGuard } from '../guard/addressGuard.ts';
import { GuardedSocket } from '../guard/guardedSocket.ts';
import type { MailServer } from '../mail/serverSettings.ts';

export const PORTS = { plain: 143, secure: 993 };

/** Bytes of one mail that are read. */
export const MAX_MAIL_BYTES = 1_048_576;
/** A search of a mailbox with two million mails has an answer of this size. */
const MAX_RESPONSE_BYTES = 16_777_216;
const SILENCE_MS = 60_000;

export interface SessionOptions {
  guard: AddressGuard;
  signal: AbortSignal;
  mailbox?: string;
  readOnly?: boolean;
}

/** Connects, logs in, and opens the mailbox. Throws errors of imapflow, and those of the guard. */
export async function withMailbox<T>(
  server: MailServer,
  { guard, signal, mailbox, readOnly = false }: SessionOptions,
  work: (client: ImapFlow) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const { ImapFlow: Client } = await import('imapflow');
  const { login, secure, isTrusted, tls, host, port } = server;
  const { user = '', password: pass = '' } = login ?? {};
  let refused: Error | undefined;
  const client = new Client({
    ...{ host, port, secure, auth: { user, pass }, logger: false, disableAutoIdle: true },
    // Absent: STARTTLS if the server offers it.
    ...(secure || isTrusted ? {} : { doSTARTTLS: true }),
    transport: {
      connect(to, onConnect) {
        const socket = new GuardedSocket(guard);
        socket.once('error', (error) => {
          refused ??= error;
        });
        socket.connect(to.port, to.host);
        if (!to.secure) return socket.once('connect', onConnect);
        return connectTls({ ...tls, socket, ...nameOf(to) }, onConnect);
      },
      upgrade: (socket, to, onSecure) => connectTls({ ...tls, socket, ...nameOf(to) }, onSecure),
    },
    ...{ connectionTimeout: SILENCE_MS, greetingTimeout: SILENCE_MS, socketTimeout: SILENCE_MS },
    ...{ maxLiteralSize: 2 * MAX_MAIL_BYTES, maxResponseSize: MAX_RESPONSE_BYTES },
  });
  // The running command fails too.
  client.on('error', () => undefined);
  let onAbort = () => {};
  const aborted = new Promise<never>((_, fail) => {
    onAbort = () => fail(signal.reason);
  });
  aborted.catch(() => undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  const run = async () => {
    await client.connect();
    if (mailbox !== undefined) await client.mailboxOpen(mailbox, { readOnly });
    return work(client);
  };
  try {
    return await Promise.race([run(), aborted]);
  } catch (error) {
    signal.throwIfAborted();
    throw refused ?? error;
  } finally {
    signal.removeEventListener('abort', onAbort);
    client.close();
  }
}

function nameOf({ servername, host }: { servername?: string | undefined; host: string }): object {
  return { host, ...(servername === undefined ? {} : { servername }) };
}
