import { execFile } from 'node:child_process';
import { createWriteStream, existsSync } from 'node:fs';
import { access, chmod, constants, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { arch, homedir, platform } from 'node:os';
import { delimiter, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { goInstall } from './goInstall.ts';
import { type Say, spell } from './say.ts';
import { takeSoleUse } from './soleUse.ts';

const VERSION = '1.5.1';
/** The oldest server whose settings and features are the ones we count on. */
const OLDEST_SERVER = [1, 28] as const;
const DOWNLOAD_ANSWER_MS = 5_000;
const DOWNLOAD_MS = 120_000;
const ARCHITECTURES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };

const run = promisify(execFile);

function cacheFolder(environment: NodeJS.ProcessEnv): string {
  const caches = environment.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(caches, 'perdure', `temporal-${VERSION}`);
}

/** `CLI 1.5.1 (Server 1.29.1, UI 2.42.1)`; undefined for what does not run or is too old. */
async function serverVersion(command: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(command, ['--version'], { timeout: 10_000 });
    const found = /Server (\d+)\.(\d+)\.\d+/.exec(stdout);
    if (!found) return undefined;
    const [major, minor] = [Number(found[1]), Number(found[2])];
    const isRecent = major > OLDEST_SERVER[0] || (major === OLDEST_SERVER[0] && minor >= OLDEST_SERVER[1]);
    return isRecent ? found[0] : undefined;
  } catch {
    return undefined;
  }
}

async function findOnPath(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const folder of (environment.PATH ?? '').split(delimiter).filter((part) => part !== '')) {
    const command = join(folder, 'temporal');
    const isExecutable = await access(command, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isExecutable && (await serverVersion(command)) !== undefined) return command;
  }
  return undefined;
}

async function download(folder: string): Promise<void> {
  const cpu = ARCHITECTURES[arch()];
  if (cpu === undefined) throw new Error(`there is no download for ${arch()}`);
  const slow = new AbortController();
  const answerTimer = setTimeout(() => slow.abort(new Error('no answer')), DOWNLOAD_ANSWER_MS);
  const address = `https://temporal.download/cli/archive/v${VERSION}?platform=${platform()}&arch=${cpu}`;
  const signal = AbortSignal.any([slow.signal, AbortSignal.timeout(DOWNLOAD_MS)]);
  const answer = await fetch(address, { signal }).finally(() => clearTimeout(answerTimer));
  if (!answer.ok || answer.body === null) throw new Error(`status ${answer.status}`);
  const archive = join(folder, 'temporal.tar.gz');
  await pipeline(Readable.fromWeb(answer.body), createWriteStream(archive));
  await run('tar', ['-xzf', archive, '-C', folder, 'temporal']);
  await chmod(join(folder, 'temporal'), 0o755);
}

function build(folder: string, environment: NodeJS.ProcessEnv, say: Say): Promise<void> {
  const packages = [`github.com/temporalio/cli/cmd/temporal@v${VERSION}`];
  return goInstall({ packages, folder, environment, say });
}

/** Each way fills an empty folder with a `temporal` that runs, or throws. */
async function fetchInto(folder: string, environment: NodeJS.ProcessEnv, say: Say): Promise<void> {
  const complaints: string[] = [];
  const ways: [string, () => Promise<void>][] = [
    [`downloading the Temporal server ${VERSION}`, () => download(folder)],
    [
      `building the Temporal server ${VERSION} with Go, once on this machine (about 3 minutes)`,
      () => build(folder, environment, say),
    ],
  ];
  for (const [what, way] of ways) {
    const startedAt = Date.now();
    say(`${what} …`);
    try {
      await way();
      if ((await serverVersion(join(folder, 'temporal'))) === undefined) throw new Error('the result does not run');
      say(`  done in ${spell(Date.now() - startedAt)}`);
      return;
    } catch (error) {
      const { message, cause } = error as Error;
      complaints.push(`${what}: ${cause instanceof Error ? cause.message : message}`);
      say(`  not possible: ${complaints.at(-1)}`);
    }
  }
  throw new Error(
    [
      'There is no Temporal server. Do one of these, then start again:',
      '  - install the Temporal CLI (https://docs.temporal.io/cli) so that `temporal` is on the PATH, or set TEMPORAL_CLI to it',
      '  - install Go 1.24 or later, and `npm start` builds the server',
      '  - set TEMPORAL_ADDRESS to a Temporal server that runs already',
      'What was tried:',
      ...complaints.map((complaint) => `  - ${complaint}`),
    ].join('\n'),
  );
}

/**
 * The path of a `temporal` command: of TEMPORAL_CLI, on the PATH, in the cache; otherwise downloaded, or built with
 * Go, into the cache. Of several processes at once, one does the work and the others wait for it.
 */
export async function findTemporal(environment: NodeJS.ProcessEnv, say: Say): Promise<string> {
  const chosen = environment.TEMPORAL_CLI;
  if (chosen) {
    if ((await serverVersion(chosen)) !== undefined) return chosen;
    throw new Error(`TEMPORAL_CLI=${chosen} is no Temporal CLI with a server ${OLDEST_SERVER.join('.')} or later.`);
  }
  const onPath = await findOnPath(environment);
  if (onPath !== undefined) return onPath;

  const folder = cacheFolder(environment);
  const cached = join(folder, 'temporal');
  // Only whole files get this name, by a rename.
  if (existsSync(cached)) return cached;

  await mkdir(folder, { recursive: true });
  let release = await takeSoleUse(folder);
  if (release === undefined) say('another process is fetching the Temporal server; waiting for it …');
  while (release === undefined) {
    await sleep(500);
    release = await takeSoleUse(folder);
  }
  try {
    if (existsSync(cached)) return cached;
    const workshop = await mkdtemp(join(folder, 'new-'));
    try {
      await fetchInto(workshop, environment, say);
      await rename(join(workshop, 'temporal'), cached);
    } finally {
      await rm(workshop, { recursive: true, force: true });
    }
    return cached;
  } finally {
    release();
  }
}
