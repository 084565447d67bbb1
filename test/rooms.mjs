// The rooms of tests as data: test/run.mjs runs them in this order, each when the one before has ended. The quick ones
// come first and fail first.

/**
 * @typedef {object} Room @property {string} name @property {number} workers Files at once. @property {number} timeoutMs
 * Default timeout of a test or a hook. @property {boolean} [built] Runs something of dist/. @property {boolean} [stack]
 * Needs the one stack that serves the whole run. @property {boolean} [temporal] Its files start Temporal servers of their
 * own. @property {string[]} [files] Its files, if they are not those of its folder. @property {boolean} [onPurpose] Runs
 * only if --room names it. @property {boolean} [database] Its files create databases of their own.
 */

/** Files beside the code: all test files outside the rooms' folders in test/. */
export const UNIT = 'unit';

/** @type {Room[]} */
export const ROOMS = [
  { name: 'rules', workers: 2, timeoutMs: 300_000 },
  { name: UNIT, built: true, workers: 3, timeoutMs: 30_000 },
  { name: 'replay', workers: 1, timeoutMs: 60_000 },
  { name: 'embedded', built: true, temporal: true, database: true, workers: 3, timeoutMs: 90_000 },
  // Much of it waits for timers, and for the reconciler every few seconds: more files at once than there are cores. On a machine
  // that was busy besides, what takes 20 s by itself took 90 s.
  { name: 'workflows', stack: true, workers: 5, timeoutMs: 180_000 },
  { name: 'api', stack: true, workers: 3, timeoutMs: 60_000 },
  // Each file has a stack of its own, and waits more than it works.
  { name: 'kills', built: true, temporal: true, database: true, workers: 4, timeoutMs: 180_000 },
  // Pages in a real browser, on the one stack.
  { name: 'console', built: true, stack: true, workers: 3, timeoutMs: 120_000 },
  { name: 'newcomer', built: true, workers: 1, timeoutMs: 600_000 },
  // A real PgBouncer before a real Postgres: npm test -- --room pooler
  { name: 'pooler', onPurpose: true, built: true, database: true, workers: 1, timeoutMs: 240_000 },
  // npm run test:compose: needs a container engine, and Docker's Compose.
  { name: 'containers', onPurpose: true, built: true, workers: 1, timeoutMs: 240_000 },
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
  {
    name: 'pictures',
    files: ['test/pictures/takePictures.ts'],
    onPurpose: true,
    stack: true,
    workers: 1,
    timeoutMs: 300_000,
  },
  // npm run console:filled: until Ctrl-C, at most a week.
  {
    name: 'filled',
    files: ['test/pictures/serveShop.ts'],
    onPurpose: true,
    stack: true,
    workers: 1,
    timeoutMs: 604_800_000,
  },
];

/** `npm run test:production`: the one stack is the layout of docker-compose.yml (test/production/productionStack.ts). */
export const PRODUCTION_ROOMS = [
  // One file after the other: `processes` stops every process of the layout.
  { name: 'production', stack: true, workers: 1, timeoutMs: 120_000 },
  ...ROOMS.filter(({ stack, onPurpose }) => stack && !onPurpose),
];

/** The name of the room of a test file; `path` from the root of the project. */
export function roomOf(path) {
  const [, folder] = /^test\/([^/]+)\/.+$/.exec(path) ?? [];
  return folder ?? UNIT;
}
