import { importSource } from './importSource.mjs';

/** @type {Promise<import('../setup/stack/runStack.ts').RunStack> | undefined} */
let started;

async function begin() {
  const { startRunStack } = await importSource('test/setup/stack/stack.ts');
  return startRunStack();
}

/** Started by the first call. Returns the data for its tests. */
export async function sharedStack() {
  started ??= begin();
  const { stack, production } = await started;
  return { stack, ...(production ? { production } : {}) };
}

/** The next call of sharedStack() starts another. */
export async function endSharedStack() {
  const ending = started;
  started = undefined;
  await (await ending?.catch(() => undefined))?.dispose();
}
