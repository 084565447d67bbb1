import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ended, EXIT, Usage } from '../exitCode.ts';

const NAME = /^(@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/;
const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;
const MAX_SAID = 2_000;

export interface PackageVersion {
  name: string;
  /** Undefined: the latest. */
  version?: string;
}

/** Reads `@scope/name` or `@scope/name@1.2.3`: neither a folder nor a repository is a package. */
export function packageVersion(text: string): PackageVersion {
  const at = text.indexOf('@', 1);
  const [name, version] = at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
  if (!NAME.test(name) || name.length > 214) throw new Usage(`${text}: expected the name of a package of npm`);
  if (version === undefined) return { name };
  if (!VERSION.test(version)) throw new Usage(`${text}: expected an exact version after @, such as 1.2.3`);
  return { name, version };
}

/** Installs a package without running its scripts. Returns the installed version. */
export async function installPackage(
  folder: string,
  { name, version }: PackageVersion,
  signal: AbortSignal,
): Promise<string> {
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const quiet = ['--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  // An exact version may come from npm's cache.
  const source = version === undefined ? [`${name}@latest`] : ['--prefer-offline', `${name}@${version}`];
  const npm = spawn('npm', ['install', ...quiet, ...source], {
    ...{ cwd: folder, signal, stdio: ['ignore', 'ignore', 'pipe'] },
  });
  let said = '';
  npm.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-MAX_SAID);
  });
  const [code] = await once(npm, 'close');
  if (code !== 0) throw new Ended(EXIT.failed, `npm did not install ${name}:\n${said.trim()}`);
  const manifest = await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
