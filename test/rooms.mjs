// The rooms of tests as data: test/run.mjs runs them in this order, each when the one before has ended. The quick ones
// come first and fail first.

/**
 * @typedef {object} Room @property {string} name @property {number} workers Files at once. @property {number} timeoutMs
 * Default timeout of a test or a hook. @property {boolean} [built] Runs something of dist/. @property {boolean} [stack]
 * Needs the one stack that serves the whole run. @property {string[]} [files] Its files, where they are not those of
 * its folder. @property {boolean} [onPurpose] Runs only where --room names it. @property {boolean | string[]} [database]
 * Uses the database: DATABASE_URL makes a difference. Where it does so for some files only: their names.
 */

/** Files beside the code: all test files outside the rooms' folders in test/. */
export const UNIT = 'unit';

/**
 * The kills whose outcome is also the database's, for a server of its own goes on when its clients are killed. The others
 * depend on the engine, a provider or the start.
 */
const KILLS_OF_DATABASE = [
  // The mix of all kills.
  'chaos',
  'randomTurns',
  // It refuses, ends connections, and comes back.
  'databaseRefuses',
  'partGone',
  // A statement of a killed process still commits, or its lock still stands, when the next process asks.
  'everythingKilled',
  'queues',
  // Several processes contend for rows, which PGlite serves one after the other.
  'grantCap',
];

/** @type {Room[]} */
export const ROOMS = [
  { name: 'rules', workers: 1, timeoutMs: 180_000 },
  { name: UNIT, built: true, workers: 2, timeoutMs: 30_000 },
  { name: 'replay', workers: 1, timeoutMs: 60_000 },
  { name: 'embedded', built: true, database: true, workers: 2, timeoutMs: 90_000 },
  // Much of it waits for timers, and for the reconciler every few seconds.
  { name: 'workflows', stack: true, database: true, workers: 3, timeoutMs: 90_000 },
  { name: 'api', stack: true, database: true, workers: 3, timeoutMs: 60_000 },
  // Each file has a stack of its own, and waits more than it works.
  { name: 'kills', built: true, database: KILLS_OF_DATABASE, workers: 3, timeoutMs: 180_000 },
  { name: 'newcomer', built: true, workers: 1, timeoutMs: 300_000 },
  // npm run test:fuzz
  { name: 'fuzz', onPurpose: true, stack: true, workers: 1, timeoutMs: 120_000 },
  {
    name: 'histories',
    files: ['test/replay/recordHistories.ts'],
    onPurpose: true,
    stack: true,
    workers: 1,
    timeoutMs: 120_000,
  },
];

/** `npm run test:production`: the one stack is the layout of docker-compose.yml (test/production/productionStack.ts). */
export const PRODUCTION_ROOMS = [
  { name: 'production', stack: true, database: true, workers: 2, timeoutMs: 120_000 },
  ...ROOMS.filter(({ stack, onPurpose }) => stack && !onPurpose),
];

/** The name of the room of a test file; `path` from the root of the project. */
export function roomOf(path) {
  const [, folder] = /^test\/([^/]+)\/.+$/.exec(path) ?? [];
  return folder ?? UNIT;
}
