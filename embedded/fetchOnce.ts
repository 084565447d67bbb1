import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeExclusiveUse } from './exclusiveUse.ts';
import type { Say } from './say.ts';

export interface FetchedFile {
  /** A cache folder that contains only this file. */
  folder: string;
  name: string;
  /** Name for people, such as `the Temporal server`. */
  what: string;
  say: Say;
}

/** Fetches once per machine: `fetch` fills an empty folder and returns the file's path. Other processes wait. */
export async function fetchOnce(
  { folder, name, what, say }: FetchedFile,
  fetch: (workshop: string) => Promise<string>,
): Promise<string> {
  const cached = join(folder, name);
  // The rename gives this name only to complete files.
  if (existsSync(cached)) return cached;
  await mkdir(folder, { recursive: true });
  let release = await takeExclusiveUse(folder);
  if (release === undefined) say(`another process is fetching ${what}; waiting for it …`);
  while (release === undefined) {
    await sleep(500);
    release = await takeExclusiveUse(folder);
  }
  try {
    if (existsSync(cached)) return cached;
    const workshop = await mkdtemp(join(folder, 'new-'));
    try {
      await rename(await fetch(workshop), cached);
    } finally {
      await rm(workshop, { recursive: true, force: true });
    }
    return cached;
  } finally {
    release();
  }
}
