import { test } from '@jest/globals';

/** PGlite has one session, so nothing can run between two of its statements. */
export const withSessions = process.env.DATABASE_URL ? test : test.skip;
