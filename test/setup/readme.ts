import { join } from 'node:path';
import { PROJECT_ROOT } from '../../process/projectRoot.ts';

export const README = join(PROJECT_ROOT, 'README.md');
