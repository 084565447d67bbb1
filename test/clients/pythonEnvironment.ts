import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The reason why no environment can be made here, or undefined. */
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

/** The `python` of an environment with the package (`name==version`), made once per machine. */
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
  // Scripts contain the path of their folder, which is moved when complete, so they are called through `python -m`.
  try {
    renameSync(fresh, folder);
  } catch (error) {
    // Another process was faster.
    rmSync(fresh, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return python;
}
