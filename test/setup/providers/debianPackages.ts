import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fetchOnce } from '../../../embedded/fetchOnce.ts';

const run = promisify(execFile);
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'perdure');

/** Unpacks Debian packages once per machine and returns the folder of their files; undefined without apt. */
export async function debianPackages(what: string, packages: readonly string[]): Promise<string | undefined> {
  const say = (text: string) => process.stderr.write(`perdure  ${text}\n`);
  const unpack = async (workshop: string) => {
    await run('apt-get', ['download', ...packages], { cwd: workshop });
    const root = join(workshop, 'root');
    await mkdir(root);
    for (const file of await readdir(workshop)) {
      if (file.endsWith('.deb')) await run('dpkg-deb', ['--extract', join(workshop, file), root]);
    }
    return root;
  };
  try {
    return await fetchOnce({ folder: join(CACHE, what), name: 'root', what, say }, unpack);
  } catch (error) {
    say(`there is no ${what}, and none can be had from Debian's packages: ${(error as Error).message}`);
    return undefined;
  }
}
