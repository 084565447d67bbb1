import { once } from 'node:events';
import pg from 'pg';
import type { AddressGuard } from '../guard/addressGuard.ts';
import { GuardedSocket, limitReceived } from '../guard/guardedSocket.ts';
import type { DatabaseUse } from '../sql/statementActions.ts';
import { parserOf } from './jsonTypes.ts';
import type { ServerSettings } from './serverSettings.ts';

/** Time limit for a cancel request. Afterwards the connection is dropped anyway. */
const CANCEL_MS = 2_000;
const GREETING_BYTES = 65_536;

/** Reuses no connection, so changed credentials apply at once. Throws errors of `pg`, and those of the guard. */
export async function withClient<T>(
  server: ServerSettings,
  { guard, signal, maxBytes }: DatabaseUse,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const { tls, ...who } = server;
  const client = new pg.Client({
    ...who,
    ssl: tls,
    stream: () => new GuardedSocket(guard),
    application_name: 'Perdure',
    // Set explicitly: for empty values `pg` would read the worker's environment.
    options: '-c client_encoding=UTF8',
    types: { getTypeParser: parserOf as unknown as pg.CustomTypesConfig['getTypeParser'] },
  });
  const { connection } = client;
  const allBytes = maxBytes + GREETING_BYTES;
  limitReceived(connection.stream, allBytes);
  connection.once('sslconnect', () => limitReceived(connection.stream, allBytes));
  let broken: Error | undefined;
  // A running statement receives the error too; this handles errors between statements.
  client.on('error', (error) => {
    broken ??= error;
  });

  let backend: BackendKey | undefined;
  connection.once('backendKeyData', (key: BackendKey) => {
    backend = key;
  });
  let onAbort = () => {};
  const aborted = new Promise<never>((_, fail) => {
    onAbort = () => {
      const cancelled = backend ? cancelStatement(server, guard, backend) : Promise.resolve();
      void cancelled.finally(() => {
        connection.stream.destroy();
        fail(signal.reason);
      });
    };
  });
  aborted.catch(() => undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([run(client, work), aborted]);
  } catch (error) {
    signal.throwIfAborted();
    throw broken ?? error;
  } finally {
    signal.removeEventListener('abort', onAbort);
    connection.stream.destroy();
  }
}

async function run<T>(client: pg.Client, work: (client: pg.Client) => Promise<T>): Promise<T> {
  await client.connect();
  const result = await work(client);
  await client.end();
  return result;
}

interface BackendKey {
  processID: number;
  secretKey: number;
}

/** Members that `pg` uses but does not declare. */
interface WireConnection extends pg.Connection {
  connect(port: number, host: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
}

async function cancelStatement(server: ServerSettings, guard: AddressGuard, backend: BackendKey): Promise<void> {
  const connection = new pg.Connection({ stream: () => new GuardedSocket(guard), ssl: server.tls }) as WireConnection;
  const over = once(connection, 'end', { signal: AbortSignal.timeout(CANCEL_MS) });
  connection.on('error', () => undefined);
  connection.once('connect', () => (server.tls ? connection.requestSsl() : ask()));
  connection.once('sslconnect', ask);
  function ask(): void {
    connection.cancel(backend.processID, backend.secretKey);
  }
  connection.connect(server.port, server.host);
  await over.catch(() => undefined);
  connection.stream.destroy();
}
