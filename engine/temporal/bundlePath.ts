import { fileURLToPath } from 'node:url';

/** Path of the bundle of the workflows, made at build time next to the compiled code. */
export const BUNDLE_PATH = fileURLToPath(new URL('../../workflow-bundle.js', import.meta.url));
