import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../projectRoot.ts';

/** For tests of what runs compiled only, as the entry of a thread does: makes dist/ new where it is old. */
export default function setup(): void {
  execFileSync(process.execPath, [join(PROJECT_ROOT, 'prepare.mjs')], { stdio: 'inherit' });
}
