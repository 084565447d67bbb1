// npm run test:nodes [-- [--node <version>]… [arguments of test/run.mjs]]: the suite on other versions of Node, one after the
// other; 22 and 24 where none is named. npm has their binaries, for each platform a package.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const VERSIONS = ['22', '24'];

const asked = [];
const args = process.argv.slice(2);
for (let at = args.indexOf('--node'); at !== -1; at = args.indexOf('--node')) {
  const [, version] = args.splice(at, 2);
  if (version === undefined) throw new Error('--node needs a version: --node 22');
  asked.push(version);
}

/** Answers the folder of its `node`. */
function install(version, folder) {
  const name = `node-${platform() === 'win32' ? 'win' : platform()}-${arch()}`;
  const options = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder];
  execFileSync('npm', ['install', ...options, `${name}@${version}`], { stdio: ['ignore', 'ignore', 'inherit'] });
  return join(folder, 'node_modules', name, 'bin');
}

const outcomes = [];
for (const version of asked.length > 0 ? asked : VERSIONS) {
  const folder = mkdtempSync(join(tmpdir(), `perdure-node-${version}-`));
  try {
    const bin = install(version, folder);
    const node = join(bin, 'node');
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
    const exact = execFileSync(node, ['--version']).toString().trim();
    console.error(`\n==== Node ${exact}`);
    const { status, signal } = spawnSync(node, [join(import.meta.dirname, 'run.mjs'), ...args], {
      stdio: 'inherit',
      env,
    });
    outcomes.push({ exact, ending: signal ?? status });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
console.log('');
for (const { exact, ending } of outcomes)
  console.log(`Node ${exact}: ${ending === 0 ? 'passed' : `ended with ${ending}`}`);
process.exitCode = outcomes.every(({ ending }) => ending === 0) ? 0 : 1;
