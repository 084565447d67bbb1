import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { addressOf } from '../embedded/databaseSocket.ts';
import { StatementReader } from './postgresMessages.ts';

export interface StatementCounter {
  url: string;
  take(): Map<string, number>;
  close(): void;
}

/** Starts a proxy that counts statements between a process and its database, so that the product need not. */
export async function countStatements(databaseUrl: string): Promise<StatementCounter> {
  const address = addressOf(databaseUrl);
  const sockets = new Set<Socket>();
  let counts = new Map<string, number>();
  const tell = (sql: string) => void counts.set(sql, (counts.get(sql) ?? 0) + 1);

  const server = createServer((client) => {
    const database = connect(address);
    const reader = new StatementReader(tell);
    client.on('data', (piece: Buffer) => reader.take(piece));
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.pipe(other);
      socket.on('error', () => other.destroy());
      socket.once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    take() {
      const taken = counts;
      counts = new Map();
      return taken;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
