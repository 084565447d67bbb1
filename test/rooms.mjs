// test/run.mjs runs the rooms in this order, one after the other: quick ones fail first.

/**
 * @typedef {object} Room @property {string} name @property {number} workers Files at once. @property {number} timeoutMs
 * Default timeout of a test or a hook. @property {boolean} [built] Runs something of dist/. @property {boolean} [stack]
 * Needs the one stack that serves the whole run. @property {boolean} [temporal] Its files start Temporal servers of their
 * own. @property {string[]} [files] Its files, if they are not those of its folder. @property {boolean} [onPurpose] Runs
 * only if --room names it. @property {boolean} [database] Its files create databases of their own.
 */

/** All test files outside the rooms' folders in test/. */
export const UNIT = 'unit';

/** @type {Room[]} */
export const ROOMS = [
  { name: 'rules', workers: 2, timeoutMs: 300_000 },
  { name: UNIT, built: true, workers: 3, timeoutMs: 30_000 },
  { name: 'replay', workers: 1, timeoutMs: 60_000 },
  { name: 'embedded', built: true, temporal: true, database: true, workers: 3, timeoutMs: 90_000 },
  // Each file has its own stack, and mostly waits. Before the rooms with the shared stack, which works even if nobody uses it.
  { name: 'kills', built: true, temporal: true, database: true, workers: 4, timeoutMs: 180_000 },
  // Much of it waits for timers and for the reconciler, so more files than cores run at once. On a busy machine, 20 s
  // became 90 s.
  { name: 'workflows', stack: true, workers: 5, timeoutMs: 180_000 },
  { name: 'api', stack: true, workers: 3, timeoutMs: 60_000 },
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
  // Sequential: `processes` stops every process of the layout.
  { name: 'production', stack: true, workers: 1, timeoutMs: 120_000 },
  ...ROOMS.filter(({ stack, onPurpose }) => stack && !onPurpose),
];

/** `path` is relative to the project's root. */
export function roomOf(path) {
  const [, folder] = /^test\/([^/]+)\/.+$/.exec(path) ?? [];
  return folder ?? UNIT;
}
