import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROJECT_ROOT } from '../../../process/projectRoot.ts';

/** A thread's entry has to be compiled; from the sources (tests) it is the one that was built last. */
export const GUEST_THREAD_PATH = import.meta.url.endsWith('.ts')
  ? join(PROJECT_ROOT, 'dist/activities/apps/code/guestThread.js')
  : fileURLToPath(new URL('guestThread.js', import.meta.url));
