import { register } from 'node:module';

/** @type {Promise<import('../setup/stack.ts').RunStack> | undefined} */
let started;

async function begin() {
  if (!process.features.typescript) register('../setup/typescript.mjs', import.meta.url);
  const { startRunStack } = await import('../setup/stack.ts');
  return startRunStack();
}

/** The one stack of the run, which the first call starts. Answers what its tests are given. */
export async function sharedStack() {
  started ??= begin();
  const { stack, production } = await started;
  return { stack, ...(production ? { production } : {}) };
}

/** Ends it, where it runs; the next call of sharedStack() starts another. */
export async function endSharedStack() {
  const ending = started;
  started = undefined;
  await (await ending?.catch(() => undefined))?.dispose();
}
