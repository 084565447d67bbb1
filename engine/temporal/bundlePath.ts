import { fileURLToPath } from 'node:url';

/** The workflow bundle, which the build puts next to the compiled code. */
export const BUNDLE_PATH = fileURLToPath(new URL('../../workflow-bundle.js', import.meta.url));
