import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeExclusiveUse } from '../../embedded/exclusiveUse.ts';
import { goInstall } from '../../embedded/goInstall.ts';
import { durationText, type Say } from '../../embedded/say.ts';

/** The version of the images in docker-compose.yml. */
export const TEMPORAL_VERSION = '1.29.1';

/** By name in the images, with the path of the sources. */
const COMMANDS = { 'temporal-server': 'server', 'temporal-sql-tool': 'tools/sql' } as const;

async function build(folder: string, say: Say): Promise<void> {
  const packages = Object.values(COMMANDS).map((path) => `go.temporal.io/server/cmd/${path}@v${TEMPORAL_VERSION}`);
  const startedAt = Date.now();
  say(`building the Temporal server ${TEMPORAL_VERSION} and its schema tool with Go, once on this machine …`);
  await goInstall({ packages, folder, environment: process.env, isNice: true, say });
  say(`  done in ${durationText(Date.now() - startedAt)}`);
}

/** `temporal-server` and `temporal-sql-tool`, built with Go into the cache. Concurrent processes wait for one build. */
export async function findServerTools(say: Say): Promise<string> {
  const caches = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(caches, 'perdure', `temporal-server-${TEMPORAL_VERSION}`);
  const isThere = () => Object.keys(COMMANDS).every((name) => existsSync(join(folder, name)));
  if (isThere()) return folder;

  await mkdir(folder, { recursive: true });
  let release = await takeExclusiveUse(folder);
  while (release === undefined) {
    await sleep(500);
    release = await takeExclusiveUse(folder);
  }
  try {
    if (isThere()) return folder;
    const workshop = await mkdtemp(join(folder, 'new-'));
    try {
      await build(workshop, say);
      for (const [name, path] of Object.entries(COMMANDS)) {
        await rename(join(workshop, path.split('/').at(-1) as string), join(folder, name));
      }
    } finally {
      await rm(workshop, { recursive: true, force: true });
    }
    return folder;
  } finally {
    release();
  }
}
