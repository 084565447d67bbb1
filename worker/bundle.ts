import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import { BUNDLE_PATH } from './bundlePath.ts';

/** Bundles the compiled workflows. Run from dist/ as part of the build. */
export async function bundle(): Promise<void> {
  const pathOf = (file: string) => fileURLToPath(new URL(`../temporal-workflows/${file}`, import.meta.url));
  const { code } = await bundleWorkflowCode({
    workflowsPath: pathOf('index.js'),
    preloadModules: [pathOf('withoutStacks.js')],
    workflowInterceptorModules: [pathOf('interceptors.js')],
    logger: { log() {}, trace() {}, debug() {}, info() {}, warn: console.warn, error: console.error },
  });
  await writeFile(BUNDLE_PATH, code);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle();
