import { afterAll } from '@jest/globals';
import { createDatabase, type Database } from '../../../prisma/client.ts';
import { type Home, homeOn } from '../workspace/home.ts';
import { type Stack, type StackOptions, startStack } from './ownStack.ts';

/** A stack for the tests of one file, its first workspace, and a way to its database. All go when the tests have ended. */
export async function ownHome(options?: StackOptions): Promise<{ stack: Stack; home: Home; database: Database }> {
  const stack = await startStack(options);
  const database = createDatabase(stack.databaseUrl, 2);
  // The connections first: a database that goes away under them is an error of theirs.
  afterAll(() => database.close().finally(() => stack.dispose()));
  return { stack, home: homeOn(stack), database };
}
