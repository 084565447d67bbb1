import { afterAll } from '@jest/globals';
import { type Home, homeOn } from './home.ts';
import { type Stack, type StackOptions, startStack } from './ownStack.ts';

/** A stack for the tests of one file, and its first workspace. It goes when they have ended. */
export async function ownHome(options?: StackOptions): Promise<{ stack: Stack; home: Home }> {
  const stack = await startStack(options);
  afterAll(() => stack.dispose());
  return { stack, home: homeOn(stack) };
}
