// test: pglite
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addressOf } from '../../embedded/databaseSocket.ts';
import { createDatabase, type Database } from '../../prisma/client.ts';
import { isDatabaseUnavailable } from '../../prisma/databaseErrors.ts';
import { Prisma } from '../../prisma/generated/client.ts';
import { rowsOf } from '../../prisma/rowsOf.ts';
import { type OwnDatabase, startDatabase } from '../setup/database/ownDatabase.ts';
import { poll } from '../setup/jest/poll.ts';

let own: OwnDatabase;
let between: Partition;
let database: Database;

beforeAll(async () => {
  own = await startDatabase();
  between = await partition(own.url);
  database = createDatabase(between.url, 2, { statementTimeoutMs: 2_000 });
});
afterAll(async () => {
  await database?.close();
  between?.close();
  await own?.dispose();
});

interface Partition {
  url: string;
  /** Silently drops data of the current connections from now on. */
  cut(): void;
  /** The number of cut connections that the client has closed. */
  givenUp(): number;
  close(): void;
}

/** A network that can lose a host as in a failover: no FIN, no RST, only silence. */
async function partition(databaseUrl: string): Promise<Partition> {
  const address = addressOf(databaseUrl);
  const pairs = new Set<{ near: Socket; far: Socket; isCut: boolean; isOver: boolean }>();
  const server: Server = createServer((near) => {
    const far = connect(address);
    const pair = { near, far, isCut: false, isOver: false };
    pairs.add(pair);
    near.on('data', (chunk) => void (pair.isCut || far.write(chunk)));
    far.on('data', (chunk) => void (pair.isCut || near.write(chunk)));
    near
      .on('error', () => undefined)
      .on('close', () => {
        pair.isOver = true;
        far.destroy();
      });
    far.on('error', () => undefined).on('close', () => pair.isCut || near.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cut() {
      for (const pair of pairs) pair.isCut = true;
    },
    givenUp: () => [...pairs].filter(({ isCut, isOver }) => isCut && isOver).length,
    close() {
      server.close();
      for (const { near } of pairs) near.destroy();
    },
  };
}

const one = Prisma.sql`SELECT 1 AS one`;
const bothWays = () => [rowsOf(database, one), database.$queryRaw(one)];

test('a statement fails in time after its database vanished, and the next uses a new connection', async () => {
  const connections = await Promise.all([database.pool.connect(), database.pool.connect()]);
  for (const connection of connections) connection.release();
  expect(await Promise.all(bothWays())).toEqual([[{ one: 1 }], [{ one: 1 }]]);
  between.cut();
  const failed = await Promise.allSettled(bothWays());
  expect(failed.map((each) => each.status === 'rejected' && isDatabaseUnavailable(each.reason))).toEqual([true, true]);
  await poll(() => between.givenUp()).toBe(2);
  expect(database.pool.totalCount).toBe(0);
  expect(await Promise.all(bothWays())).toEqual([[{ one: 1 }], [{ one: 1 }]]);
});
