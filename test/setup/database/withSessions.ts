import { test } from '@jest/globals';

/** A test of sessions that wait for each other. PGlite has one session: nothing comes between two of its statements. */
export const withSessions = process.env.DATABASE_URL ? test : test.skip;
