import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Why none can be made here; undefined where one can. */
export const NO_PYTHON = whyNot();

function whyNot(): string | undefined {
  try {
    // The installed packages need 3.11.
    execFileSync('python3', ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 11))'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'no Python 3.11 with venv here';
  }
}

/** The `python` of an environment with that package (`name==version`), made once for this machine, by pip. */
export async function pythonWith(requirement: string): Promise<string> {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(cache, 'perdure', requirement.replace('==', '-'));
  const python = join(folder, 'bin/python');
  if (existsSync(folder)) return python;
  mkdirSync(dirname(folder), { recursive: true });
  const fresh = mkdtempSync(`${folder}-new-`);
  await run('python3', ['-m', 'venv', fresh]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', requirement];
  await run(join(fresh, 'bin/python'), pip);
  // Its scripts name their folder: they are called through `python -m` only, so that it can be moved when it is whole.
  try {
    renameSync(fresh, folder);
  } catch (error) {
    // Another process was first.
    rmSync(fresh, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return python;
}
