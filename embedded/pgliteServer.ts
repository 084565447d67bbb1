import { rmSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { vector } from '@electric-sql/pglite-pgvector';
import { PgliteSocket } from './pgliteSocket.ts';

// A process, because PGlite blocks its thread. It writes its log to the page cache before it acknowledges a commit.

const [dataDir, socket, port] = process.argv.slice(2);
if (dataDir === undefined || socket === undefined) throw new Error('usage: pgliteServer <data folder> <socket> [port]');

// Zero-filling new log files protects nothing without fsync, and would write each 16 MB twice.
const startParams = [...PGlite.defaultStartParams, '-c', 'wal_init_zero=off'];
const db = await PGlite.create({ dataDir, extensions: { btree_gin, pg_trgm, vector }, startParams });
const server = new PgliteSocket({
  db,
  // The parent restarts it; it then recovers from the log.
  onFailure(error) {
    console.error(error);
    process.exit(1);
  },
});
// A killed process may leave it behind. The parent has exclusive use of the data folder.
rmSync(socket, { force: true });
await server.listen({ path: socket });
if (port !== undefined) await server.listen({ host: '127.0.0.1', port: Number(port) });
console.log(`${new Date().toISOString()} ready on ${socket}${port === undefined ? '' : ` and port ${port}`}`);

async function stop(): Promise<void> {
  await server.stop();
  await db.close();
  process.exit(0);
}
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
