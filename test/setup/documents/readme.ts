import { join } from 'node:path';
import { PROJECT_ROOT } from '../../../projectRoot.ts';

export const README = join(PROJECT_ROOT, 'README.md');
