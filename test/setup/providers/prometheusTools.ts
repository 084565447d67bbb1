import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fetchOnce } from '../../../embedded/fetchOnce.ts';

const run = promisify(execFile);
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'perdure');

type Tool = 'prometheus' | 'promtool';

/** Finds the command on the PATH or in Debian's package, unpacked once per machine; undefined if it is unavailable. */
export async function findPrometheusTool(name: Tool): Promise<string | undefined> {
  const here = await run(name, ['--version']).then(
    () => name,
    () => undefined,
  );
  const say = (text: string) => process.stderr.write(`perdure  ${text}\n`);
  try {
    return here ?? (await fetchOnce({ folder: join(CACHE, name), name, what: name, say }, (at) => ofDebian(name, at)));
  } catch (error) {
    say(`there is no ${name}, and none can be had from Debian's packages: ${(error as Error).message}`);
    return undefined;
  }
}

async function ofDebian(name: Tool, folder: string): Promise<string> {
  await run('apt-get', ['download', 'prometheus'], { cwd: folder });
  const file = (await readdir(folder)).find((each) => each.endsWith('.deb'));
  if (file === undefined) throw new Error('apt-get has put no package there');
  await run('dpkg-deb', ['--extract', file, folder], { cwd: folder });
  return join(folder, 'usr/bin', name);
}
