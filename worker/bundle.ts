import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type BundleOptions, bundleWorkflowCode } from '@temporalio/worker';
import { BUNDLE_PATH } from '../engine/temporal/bundlePath.ts';

type Hook = NonNullable<BundleOptions['webpackConfigHook']>;

/** Each workflow evaluates its modules again, and calling an import costs: one module saves 7 % of a short workflow. */
export const asOneModule: Hook = (config) => ({
  ...config,
  optimization: { ...config.optimization, providedExports: true, concatenateModules: true },
});

/** Bundles the compiled workflows. The build runs it from dist/. */
export async function bundle(): Promise<void> {
  const pathOf = (file: string) => fileURLToPath(new URL(`../temporal-workflows/${file}`, import.meta.url));
  const { code } = await bundleWorkflowCode({
    workflowsPath: pathOf('index.js'),
    payloadConverterPath: pathOf('payloadConverter.js'),
    preloadModules: [pathOf('withoutStacks.js')],
    workflowInterceptorModules: [pathOf('interceptors.js')],
    webpackConfigHook: asOneModule,
    logger: { log() {}, trace() {}, debug() {}, info() {}, warn: console.warn, error: console.error },
  });
  await writeFile(BUNDLE_PATH, code);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle();
