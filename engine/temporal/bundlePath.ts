import { fileURLToPath } from 'node:url';

/** Where the bundle of the workflows lies: made at build time, beside the compiled code. */
export const BUNDLE_PATH = fileURLToPath(new URL('../../workflow-bundle.js', import.meta.url));
