import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const STACK = './test/setup/stack.ts';
const BUILT = './test/setup/built.ts';

/** How long `expect.poll` asks where a test names no time of its own. */
const POLL_MS = 20_000;

interface Room {
  name: string;
  include: string[];
  /** Needs the one stack that serves the whole run. */
  stack?: boolean;
  /** Runs something of dist/. */
  built?: boolean;
  /** Files at once. */
  workers: number;
  timeoutMs: number;
}

// The quick ones come first and fail first; a room begins when the one before has ended.
const ROOMS: Room[] = [
  { name: 'rules', include: ['test/rules/**/*.test.ts'], workers: 1, timeoutMs: 180_000 },
  {
    name: 'unit',
    include: [
      '{activities,api,domain,embedded,engine,prisma,temporal-workflows,worker,bench}/**/*.test.ts',
      '*.test.ts',
    ],
    built: true,
    workers: 2,
    timeoutMs: 30_000,
  },
  { name: 'replay', include: ['test/replay/**/*.test.ts'], workers: 1, timeoutMs: 60_000 },
  { name: 'embedded', include: ['test/embedded/**/*.test.ts'], workers: 2, timeoutMs: 90_000 },
  { name: 'workflows', include: ['test/workflows/**/*.test.ts'], stack: true, workers: 2, timeoutMs: 90_000 },
  { name: 'api', include: ['test/api/**/*.test.ts'], stack: true, workers: 3, timeoutMs: 60_000 },
  { name: 'kills', include: ['test/kills/**/*.test.ts'], workers: 1, timeoutMs: 180_000 },
  { name: 'newcomer', include: ['test/newcomer/**/*.test.ts'], workers: 1, timeoutMs: 300_000 },
];

/** `npm run test:production`: the one stack is the layout of docker-compose.yml (test/production/productionStack.ts). */
const PRODUCTION_ROOMS: Room[] = [
  { name: 'production', include: ['test/production/**/*.test.ts'], stack: true, workers: 2, timeoutMs: 120_000 },
  ...ROOMS.filter(({ stack }) => stack),
];
const isProduction = process.env.PERDURE_TEST_STACK === 'production';

function project(room: Room, groupOrder: number): TestProjectInlineConfiguration {
  return {
    test: {
      name: room.name,
      include: room.include,
      exclude: ['node_modules/**', 'dist/**'],
      environment: 'node',
      pool: 'forks',
      maxWorkers: room.workers,
      fileParallelism: room.workers > 1,
      testTimeout: room.timeoutMs,
      hookTimeout: room.timeoutMs,
      expect: { poll: { timeout: POLL_MS } },
      sequence: { groupOrder },
      ...(room.stack ? { globalSetup: [STACK] } : {}),
      ...(room.built ? { globalSetup: [BUILT] } : {}),
    },
  };
}

export default defineConfig({
  test: { projects: (isProduction ? PRODUCTION_ROOMS : ROOMS).map(project), passWithNoTests: true },
});
