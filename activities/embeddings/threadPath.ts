import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROJECT_ROOT } from '../../process/projectRoot.ts';

/** The entry of a thread must be compiled; tests on the sources use the one built last. */
export const EMBEDDING_THREAD_PATH = import.meta.url.endsWith('.ts')
  ? join(PROJECT_ROOT, 'dist/activities/embeddings/embeddingThread.js')
  : fileURLToPath(new URL('embeddingThread.js', import.meta.url));
