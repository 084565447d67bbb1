import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fetchOnce } from '../../embedded/fetchOnce.ts';

const run = promisify(execFile);
const FOLDER = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'perdure', 'promtool');

/** The command `promtool`: of the PATH, or of Debian's package, unpacked once for this machine. Undefined where neither can be had. */
export async function findPromtool(): Promise<string | undefined> {
  const here = await run('promtool', ['--version']).then(
    () => 'promtool',
    () => undefined,
  );
  const say = (text: string) => process.stderr.write(`perdure  ${text}\n`);
  try {
    return here ?? (await fetchOnce({ folder: FOLDER, name: 'promtool', what: 'promtool', say }, ofDebian));
  } catch (error) {
    say(`there is no promtool, and none can be had from Debian's packages: ${(error as Error).message}`);
    return undefined;
  }
}

async function ofDebian(folder: string): Promise<string> {
  await run('apt-get', ['download', 'prometheus'], { cwd: folder });
  const file = (await readdir(folder)).find((name) => name.endsWith('.deb'));
  if (file === undefined) throw new Error('apt-get has put no package there');
  await run('dpkg-deb', ['--extract', file, folder], { cwd: folder });
  return join(folder, 'usr/bin/promtool');
}
