import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from '../../projectRoot.ts';

const EXPORTED = /^export \{ runExecution \} from "\.\/runExecution\.js";$/m;
/** A new version of the interpreter: another command at its beginning, for executions that begin with it. */
const CHANGED = `
import { patched, sleep } from '@temporalio/workflow';
import { runExecution as before } from './runExecution.js';
export async function runExecution(execution) {
  if (patched('a-new-build')) await sleep(1);
  return before(execution);
}`;

export interface Build {
  /** What stands in for dist/. */
  dist: string;
  remove(): Promise<void>;
}

/** The next version of this build: the same code with a changed interpreter, guarded as a person would guard it. */
export async function newBuild(): Promise<Build> {
  const root = await mkdtemp(join(tmpdir(), 'perdure-build-'));
  const dist = join(root, 'dist');
  for (const name of await readdir(PROJECT_ROOT)) {
    if (name === 'dist') await cp(join(PROJECT_ROOT, name), dist, { recursive: true });
    else await symlink(join(PROJECT_ROOT, name), join(root, name));
  }
  const index = join(dist, 'temporal-workflows/index.js');
  const text = await readFile(index, 'utf8');
  if (!EXPORTED.test(text)) throw new Error(`runExecution is exported otherwise:\n${text}`);
  await writeFile(index, text.replace(EXPORTED, CHANGED));
  await promisify(execFile)(process.execPath, [join(dist, 'worker/bundle.js')]);
  return { dist, remove: () => rm(root, { recursive: true, force: true }) };
}
