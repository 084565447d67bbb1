import { register } from 'node:module';

let isReady = Boolean(process.features.typescript);

/**
 * Imports a module of the sources; `path` is relative to the root. Node 22.18 and later read TypeScript themselves.
 * @param {string} path
 */
export function importSource(path) {
  if (!isReady) register('./typescript.mjs', import.meta.url);
  isReady = true;
  return import(new URL(`../../${path}`, import.meta.url).href);
}
