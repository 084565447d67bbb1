import { afterAll } from '@jest/globals';
import { createDatabase, type Database } from '../../../prisma/client.ts';
import { type Home, homeOn } from '../workspace/home.ts';
import { type Stack, type StackOptions, startStack } from './ownStack.ts';

/** Starts a stack, with its first workspace and a database client, until the tests of the file have ended. */
export async function ownHome(options?: StackOptions): Promise<{ stack: Stack; home: Home; database: Database }> {
  const stack = await startStack(options);
  const database = createDatabase(stack.databaseUrl, 2);
  // Close the connections first: a database that disappears causes connection errors.
  afterAll(() => database.close().finally(() => stack.dispose()));
  return { stack, home: homeOn(stack), database };
}
