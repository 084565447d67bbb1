import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { PgliteSocket } from './pgliteSocket.ts';

// The child process that holds the database: PGlite computes on its thread, which must not be the API's.
// It writes the log before it answers a commit, into the page cache: a kill loses nothing that was acknowledged.

const [dataDir, port] = process.argv.slice(2);
if (dataDir === undefined || port === undefined) throw new Error('usage: pgliteServer <data folder> <port>');

const db = await PGlite.create({ dataDir, extensions: { vector } });
const server = new PgliteSocket({
  db,
  host: '127.0.0.1',
  port: Number(port),
  // The parent starts a new one, which recovers from the log.
  onFailure(error) {
    console.error(error);
    process.exit(1);
  },
});
console.log(`${new Date().toISOString()} ready on port ${await server.listen()}`);

async function stop(): Promise<void> {
  await server.stop();
  await db.close();
  process.exit(0);
}
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
