import type { Connection, ConnectionOptions } from 'mysql2';
import type { AddressGuard } from '../guard/addressGuard.ts';
import { GuardedSocket, limitReceived } from '../guard/guardedSocket.ts';
import type { DatabaseUse } from '../sql/statementActions.ts';
import type { MySqlServer } from './serverSettings.ts';

/** Time limit for a cancel request. Afterwards the connection is dropped anyway. */
const CANCEL_MS = 2_000;
const GREETING_BYTES = 65_536;

/** Members that mysql2 has but does not declare. */
interface WireConnection extends Connection {
  stream: GuardedSocket;
  startTLS(onSecure: (error?: Error) => void): void;
}

/** Reuses no connection, because it would carry settings of a session. Throws errors of mysql2 and the guard. */
export async function withConnection<T>(
  server: MySqlServer,
  { guard, signal, maxBytes }: DatabaseUse,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const connection = await open(server, guard, maxBytes + GREETING_BYTES);
  let broken: Error | undefined;
  connection.on('error', (error) => {
    broken ??= error;
  });
  const { stream } = connection;
  let isOpen = false;
  let onAbort = () => {};
  const aborted = new Promise<never>((_, fail) => {
    onAbort = () => {
      const cancelled = isOpen ? cancelStatement(server, guard, connection.threadId) : Promise.resolve();
      void cancelled.finally(() => {
        stream.destroy();
        fail(signal.reason);
      });
    };
  });
  aborted.catch(() => undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  const run = async () => {
    await connected(connection);
    isOpen = true;
    return work(connection);
  };
  try {
    return await Promise.race([run(), aborted, lost(connection)]);
  } catch (error) {
    signal.throwIfAborted();
    throw stream.errored ?? broken ?? error;
  } finally {
    signal.removeEventListener('abort', onAbort);
    connection.destroy();
    stream.destroy();
  }
}

async function open(server: MySqlServer, guard: AddressGuard, maxBytes: number): Promise<WireConnection> {
  const { createConnection } = await import('mysql2');
  const { tls, ...place } = server;
  const socket = new GuardedSocket(guard);
  socket.connect(place.port, place.host);
  const options: ConnectionOptions = {
    ...place,
    stream: socket,
    ...(tls === undefined ? {} : { ssl: { ...tls, rejectUnauthorized: true, verifyIdentity: true } }),
    // The server could ask for files of this machine.
    flags: ['-LOCAL_FILES'],
    ...{ rowsAsArray: true, supportBigNumbers: true, bigNumberStrings: true, dateStrings: true, jsonStrings: true },
    // The parsers of mysql2 would be compiled from names that the server sends.
    disableEval: true,
    connectTimeout: 0,
    connectAttributes: { program_name: 'Perdure' },
  };
  const connection = createConnection(options) as WireConnection;
  limitReceived(socket, maxBytes);
  const startTLS = connection.startTLS.bind(connection);
  connection.startTLS = (onSecure) => {
    startTLS(onSecure);
    limitReceived(connection.stream, maxBytes);
  };
  return connection;
}

function connected(connection: Connection): Promise<void> {
  return new Promise((done, fail) => {
    connection.connect((error) => (error ? fail(error) : done()));
  });
}

/** A broken protocol destroys the socket without an error of the running command. */
function lost({ stream }: WireConnection): Promise<never> {
  const ended = new Promise<never>((_, fail) => {
    const onClose = () =>
      fail(stream.errored ?? Object.assign(new Error('lost'), { code: 'PROTOCOL_CONNECTION_LOST' }));
    // Later than mysql2's own error, which says more.
    stream.once('close', () => setImmediate(onClose));
  });
  ended.catch(() => undefined);
  return ended;
}

async function cancelStatement(server: MySqlServer, guard: AddressGuard, threadId: number): Promise<void> {
  const connection = await open(server, guard, GREETING_BYTES);
  connection.on('error', () => undefined);
  const late = setTimeout(() => connection.stream.destroy(), CANCEL_MS);
  try {
    const killed = connected(connection).then(
      () =>
        new Promise<void>((done) => {
          connection.query(`KILL QUERY ${Number(threadId)}`, () => done());
        }),
    );
    await Promise.race([killed, lost(connection)]);
  } catch {
    // The connection is dropped, and the server ends the statement when it next writes to it.
  } finally {
    clearTimeout(late);
    connection.destroy();
    connection.stream.destroy();
  }
}
