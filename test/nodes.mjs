// npm run test:nodes [-- [--node <version>]… [--ai <version>] [arguments of test/run.mjs]]: the suite on other versions
// of Node (default: 22 and 24), whose binaries come from npm. --ai: the version of the package `ai` for the tests' chat
// client.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const VERSIONS = ['22', '24'];

const args = process.argv.slice(2);
const asked = taken('--node');
const ai = taken('--ai').at(-1);

/** Removes the option and its values from the arguments of test/run.mjs. */
function taken(option) {
  const values = [];
  for (let at = args.indexOf(option); at !== -1; at = args.indexOf(option)) {
    const [, value] = args.splice(at, 2);
    if (value === undefined) throw new Error(`${option} needs a version: ${option} 22`);
    values.push(value);
  }
  return values;
}

/** Returns the package's folder. */
function install(name, version, folder) {
  const options = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder];
  execFileSync('npm', ['install', ...options, `${name}@${version}`], { stdio: ['ignore', 'ignore', 'inherit'] });
  return join(folder, 'node_modules', name);
}

/** The package that tests import as `ai`; empty for that of package.json. */
function aiClient(folder) {
  if (ai === undefined) return {};
  const place = install('ai', ai, folder);
  const { version, exports } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
  console.error(`\n==== ai ${version}`);
  return { PERDURE_TEST_AI: join(place, exports['.'].import) };
}

const NODE = `node-${platform() === 'win32' ? 'win' : platform()}-${arch()}`;

const outcomes = [];
for (const version of asked.length > 0 ? asked : VERSIONS) {
  const folder = mkdtempSync(join(tmpdir(), `perdure-node-${version}-`));
  try {
    const bin = join(install(NODE, version, folder), 'bin');
    const node = join(bin, 'node');
    const client = aiClient(join(folder, 'client'));
    const env = { ...process.env, ...client, PATH: `${bin}${delimiter}${process.env.PATH}` };
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
