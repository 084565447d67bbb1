// The database of a run: that of DATABASE_URL, a Postgres that the run starts, or PGlite.
import { wheelBinaries } from '../postgres/binaries.mjs';
import { startPostgres } from '../postgres/startPostgres.mjs';

export const KINDS = ['postgres', 'pglite'];

/** @typedef {{ url: string | undefined, bin: string | undefined, stop: () => Promise<void> }} Server `url`: undefined for PGlite */

/** @type {Server} */
const PGLITE = { url: undefined, bin: undefined, stop: async () => undefined };

/**
 * @param {string | undefined} kind one of KINDS; if undefined, PGlite replaces a Postgres that this machine cannot get
 * @returns {Promise<Server>}
 */
async function startServer(kind) {
  if (kind === 'pglite') return PGLITE;
  const { DATABASE_URL: url, PERDURE_TEST_POSTGRES_BIN: bin } = process.env;
  if (url) return { ...PGLITE, url, bin };
  try {
    return await startPostgres(wheelBinaries);
  } catch (error) {
    if (kind === 'postgres') throw error;
    process.stderr.write(
      `perdure  No Postgres (it is fetched by Python's pip): the tests run on PGlite. ${error.message}\n`,
    );
    return PGLITE;
  }
}

/**
 * Gives each room its database by DATABASE_URL. The first room that needs the server starts it; other rooms keep the
 * run's environment.
 * @param {string | undefined} kind
 */
export function testDatabase(kind) {
  const given = { url: process.env.DATABASE_URL, bin: process.env.PERDURE_TEST_POSTGRES_BIN };
  /** @type {Promise<Server> | undefined} */
  let server;
  const set = ({ url, bin }) => {
    for (const [name, value] of Object.entries({ DATABASE_URL: url, PERDURE_TEST_POSTGRES_BIN: bin })) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
  return {
    /** @param {import('../rooms.mjs').Room} room */
    async prepare({ stack, database }) {
      if (!stack && !database) return set(given);
      server ??= startServer(kind);
      set(await server);
    },
    async stop() {
      await (await server?.catch(() => undefined))?.stop();
    },
  };
}
