import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from '../../../projectRoot.ts';

interface Edit {
  file: string;
  from: RegExp;
  to: string;
}

/** A new version of the interpreter: another command at its beginning, for executions that begin with it. */
const NEXT: Edit = {
  file: 'temporal-workflows/index.js',
  from: /^export \{ runExecution \} from "\.\/runExecution\.js";$/m,
  to: `
import { patched, sleep } from '@temporalio/workflow';
import { runExecution as before } from './runExecution.js';
export async function runExecution(execution) {
  if (patched('a-new-build')) await sleep(1);
  return before(execution);
}`,
};

export interface Build {
  /** The folder that replaces dist/. */
  dist: string;
  remove(): Promise<void>;
}

/** Creates the next version of this build: the same code with a changed interpreter, guarded as in a real change. */
export function newBuild(): Promise<Build> {
  return editedBuild(NEXT);
}

export async function editedBuild({ file, from, to }: Edit): Promise<Build> {
  const root = await mkdtemp(join(tmpdir(), 'perdure-build-'));
  const dist = join(root, 'dist');
  for (const name of await readdir(PROJECT_ROOT)) {
    if (name === 'dist') await cp(join(PROJECT_ROOT, name), dist, { recursive: true });
    else await symlink(join(PROJECT_ROOT, name), join(root, name));
  }
  const edited = join(dist, file);
  const text = await readFile(edited, 'utf8');
  if (!from.test(text)) throw new Error(`${file} holds something else than was expected:\n${text}`);
  await writeFile(edited, text.replace(from, to));
  await promisify(execFile)(process.execPath, [join(dist, 'worker/bundle.js')]);
  return { dist, remove: () => rm(root, { recursive: true, force: true }) };
}
