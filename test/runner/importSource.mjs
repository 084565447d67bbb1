import { register } from 'node:module';

let isReady = Boolean(process.features.typescript);

/**
 * A module of the project's sources; `path` from the root. Node 22.18 and later read TypeScript by themselves.
 * @param {string} path
 */
export function importSource(path) {
  if (!isReady) register('./typescript.mjs', import.meta.url);
  isReady = true;
  return import(new URL(`../../${path}`, import.meta.url).href);
}
