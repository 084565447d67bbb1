// Plain Node, because it runs before node_modules exists. Prints to stderr, so that a command's output stays clean.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { platform } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const ROOT = import.meta.dirname;
const STAMPS = join(ROOT, 'dist/.stamps.json');
const OPENAPI = 'dist/openapi.json';
/** Files generated from the operations. */
const OF_OPERATIONS = ['client/operations.ts', 'console/features/audit/summaries.ts'];
const INSTALLED = join(ROOT, 'node_modules/.perdure-lock-hash');
const OLDEST_NODE = [20, 19];
/** Folders without sources of the product. */
const NOT_SOURCES = new Set(['node_modules', 'dist', 'test', 'coverage', 'docs', 'examples', 'console']);

function say(line) {
  process.stderr.write(`perdure  ${line}\n`);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  throw new Error(
    `Node ${process.versions.node} is too old: install Node ${OLDEST_NODE.join('.')} or later (20, 22 or 24).`,
  );
}

/** Runs a command and prints its output if it fails. Stops it when this process stops. */
function run(command, args, environment = {}) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printed = [];
    const stop = (signal) => {
      child.kill(signal);
      process.exit(130);
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
    child.stdout.on('data', (text) => printed.push(text));
    child.stderr.on('data', (text) => printed.push(text));
    child.once('error', fail);
    child.once('close', (code) => {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
      if (code === 0) done();
      else fail(new Error(`${command} ${args.join(' ')} failed:\n${Buffer.concat(printed)}`));
    });
  });
}

async function timed(what, work) {
  say(`${what} …`);
  const startedAt = Date.now();
  await work();
  say(`  done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths)
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(ROOT, path)))
      .update('\0');
  return hash.digest('hex');
}

/** Returns the sources below a folder as paths from the root, in a fixed order. */
function sourcesIn(folder) {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true });
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.name.startsWith('.')) return [];
      if (entry.isDirectory()) return NOT_SOURCES.has(entry.name) ? [] : sourcesIn(path);
      return entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts') ? [path] : [];
    });
}

function filesIn(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => relative(ROOT, join(file.parentPath, file.name)))
    .sort();
}

function changedAt(path) {
  return statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Also true after a manual `npm install`, which leaves npm's own record. */
function isInstalled(lockHash) {
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === lockHash) return true;
  const record = changedAt('node_modules/.package-lock.json');
  return record !== 0 && record + 5_000 >= changedAt('package-lock.json');
}

async function install() {
  const lockHash = hashOf(['package-lock.json']);
  if (!isInstalled(lockHash)) {
    await timed('installing packages', () => run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']));
  }
  writeFileSync(INSTALLED, lockHash);
}

function tool(name) {
  return join(ROOT, 'node_modules/.bin', name);
}

/** `prisma generate` looks for an engine that only other commands need and that some networks cannot download. */
function generateClient() {
  const nothing = existsSync('/bin/true') ? '/bin/true' : '/usr/bin/true';
  return run(tool('prisma'), ['generate'], {
    PRISMA_SCHEMA_ENGINE_BINARY: process.env.PRISMA_SCHEMA_ENGINE_BINARY ?? nothing,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  });
}

/** Bundles openapi.yaml and its parts into the one document that is served, checked and used for generation. */
async function generateContract() {
  await run(tool('redocly'), ['bundle', 'openapi.yaml', '-o', OPENAPI], {
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  });
  await run(tool('openapi-typescript'), [OPENAPI, '--empty-objects-unknown', '-o', 'api/contract.ts']);
  // Callers may omit members that have a default; answers of the API always contain them.
  const forCallers = ['--empty-objects-unknown', '--default-non-nullable', 'false'];
  await run(tool('openapi-typescript'), [OPENAPI, ...forCallers, '-o', 'client/contract.ts']);
  await run(process.execPath, [join(ROOT, 'client/generateOperations.mjs'), OPENAPI, ...OF_OPERATIONS]);
}

/** Writes compressed copies of each file, unless they are larger. The API sends them as they are. */
function compress(folder) {
  for (const file of filesIn(folder)) {
    const content = readFileSync(join(ROOT, file));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
    const copies = { br: brotliCompressSync(content, { params }), gz: gzipSync(content, { level: 9 }) };
    for (const [ending, copy] of Object.entries(copies)) {
      if (copy.length < content.length) writeFileSync(join(ROOT, `${file}.${ending}`), copy);
    }
  }
}

async function buildConsole() {
  await run(tool('vite'), ['build', 'console', '--config', 'console/vite.config.mjs', '--logLevel', 'warn']);
  compress('dist/console/assets');
}

/** Each step names target and sources. The order matters: later steps read earlier targets. */
function steps() {
  return [
    {
      name: 'client',
      what: 'generating the Prisma client',
      from: () => ['prisma/schema.prisma', 'package-lock.json'],
      isThere: () => existsSync(join(ROOT, 'prisma/generated/client.ts')),
      make: generateClient,
      isGenerated: true,
    },
    {
      name: 'contract',
      what: 'bundling openapi.yaml, and generating its types',
      from: () => [
        'openapi.yaml',
        ...filesIn('openapi'),
        'redocly.yaml',
        'package-lock.json',
        'client/generateOperations.mjs',
        'prepare.mjs',
      ],
      isThere: () => [OPENAPI, 'api/contract.ts', ...OF_OPERATIONS].every((path) => existsSync(join(ROOT, path))),
      make: generateContract,
      isGenerated: true,
    },
    {
      name: 'perdure-client',
      what: 'compiling perdure-client',
      from: () => ['client/tsconfig.json', 'package-lock.json', ...sourcesIn('client')],
      isThere: () => existsSync(join(ROOT, 'client/dist/index.js')),
      make: () => run(tool('tsc'), ['-p', 'client']),
      isGenerated: true,
    },
    {
      name: 'console',
      what: 'building the console',
      from: () => [
        'prepare.mjs',
        'package-lock.json',
        ...filesIn('console'),
        // Templates of the console.
        ...filesIn('examples'),
        ...sourcesIn('client'),
        ...sourcesIn('domain'),
      ],
      isThere: () => existsSync(join(ROOT, 'dist/console/index.html')),
      make: buildConsole,
    },
    {
      name: 'build',
      what: 'compiling',
      from: () => ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json', ...sourcesIn('')],
      isThere: () => existsSync(join(ROOT, 'dist/embedded/main.js')),
      make: () => run(tool('tsc'), ['-p', 'tsconfig.build.json']),
    },
    {
      name: 'bundle',
      what: 'bundling the workflows',
      from: () => ['package-lock.json', 'worker/bundle.ts', ...sourcesIn('domain'), ...sourcesIn('temporal-workflows')],
      isThere: () => existsSync(join(ROOT, 'dist/workflow-bundle.js')),
      make: () => run(process.execPath, [join(ROOT, 'dist/worker/bundle.js')]),
    },
  ];
}

function readStamps() {
  return existsSync(STAMPS) ? JSON.parse(readFileSync(STAMPS, 'utf8')) : {};
}

/** One process at a time. The kernel releases the name when the process ends. */
async function alone(work) {
  if (platform() !== 'linux') return work();
  const name = `\0perdure-prepare-${createHash('sha256').update(ROOT).digest('hex').slice(0, 24)}`;
  // A new server for each try, because one that failed to listen keeps its listeners.
  const take = () =>
    new Promise((done, fail) => {
      const server = createServer();
      server.once('error', (error) => (error.code === 'EADDRINUSE' ? done(undefined) : fail(error)));
      server.listen(name, () => done(server));
    });
  let server = await take();
  if (server === undefined) say('another process is preparing this folder; waiting …');
  while (server === undefined) {
    await sleep(300);
    server = await take();
  }
  try {
    return await work();
  } finally {
    server.close();
  }
}

/** @param {{ onlyGenerated?: boolean }} [options] `onlyGenerated`: what type checks need, without compiling. */
export async function prepare(options = {}) {
  checkNode();
  await alone(async () => {
    await install();
    mkdirSync(join(ROOT, 'dist'), { recursive: true });
    const stamps = readStamps();
    for (const step of steps()) {
      if (options.onlyGenerated && !step.isGenerated) continue;
      const hash = hashOf(step.from());
      if (stamps[step.name] === hash && step.isThere()) continue;
      await timed(step.what, step.make);
      stamps[step.name] = hash;
      writeFileSync(STAMPS, JSON.stringify(stamps, null, 2));
    }
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await prepare({ onlyGenerated: process.argv.includes('--only-generated') });
  } catch (error) {
    say(error.message);
    process.exit(1);
  }
}
