import { defineConfig } from 'vitest/config';

/** `npm run histories`: records, where `npm test` replays. */
export default defineConfig({
  test: {
    include: ['test/replay/recordHistories.ts'],
    globalSetup: ['./test/setup/stack.ts'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
