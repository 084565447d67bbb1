import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cacheFolder } from '../embedded/cacheFolder.ts';
import { readConfig } from './config.ts';
import { withProjectId } from './findByName.ts';
import { type Place, placeOf } from './place.ts';
import { takeRows } from './takeRows.ts';

/** The shell waits this long at each tab. */
const LIMIT_MS = 300;
const KEPT_MS = 60_000;
const MAX_NAMES = 100;

const STATUSES = ['PENDING', 'RUNNING', 'WAITING', 'NEEDS_INPUT', 'COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'];

type Read = (place: Place, signal: AbortSignal) => Promise<string[]>;

const slugs = (rows: readonly { slug?: string | null }[]) => rows.flatMap(({ slug }) => slug ?? []);
const inProject = ({ projectId }: Place) => (projectId === undefined ? {} : { filterBy: `projectId:${projectId}` });

const HELD: Readonly<Record<string, Read>> = {
  workflow: async (here, signal) =>
    slugs(
      await takeRows(
        here.client.paginate('listWorkflows', { query: { ...inProject(here), expansion: 'slug' }, signal }),
        MAX_NAMES,
      ),
    ),
  queue: async (here, signal) =>
    slugs(
      await takeRows(
        here.client.paginate('listQueues', { query: { ...inProject(here), expansion: 'slug' }, signal }),
        MAX_NAMES,
      ),
    ),
  agent: async (here, signal) =>
    slugs(
      await takeRows(
        here.client.paginate('listAgents', { query: { ...inProject(here), expansion: 'slug' }, signal }),
        MAX_NAMES,
      ),
    ),
  execution: async ({ client }, signal) => {
    const rows = await client.listExecutions({ query: { expansion: 'executionNumber', limit: 20 }, signal });
    return rows.map(({ executionNumber }) => String(executionNumber));
  },
};

export interface NameSource {
  environment?: NodeJS.ProcessEnv;
  limitMs?: number;
}

/** Returns names with this beginning, cached for a minute; none if the API does not answer in time. */
export async function completeNames(kind: string, begun: string, source: NameSource = {}): Promise<string[]> {
  const names = await namesOf(kind, source);
  return names.filter((name) => name.toLowerCase().startsWith(begun.toLowerCase())).slice(0, MAX_NAMES);
}

async function namesOf(kind: string, { environment = process.env, limitMs = LIMIT_MS }: NameSource): Promise<string[]> {
  if (kind === 'status') return STATUSES;
  if (kind === 'context') return Object.keys((await readConfig()).contexts);
  const read = Object.hasOwn(HELD, kind) ? HELD[kind] : undefined;
  if (!read) return [];
  try {
    const place = await placeOf({ environment });
    return await kept(
      join(cacheFolder(environment), 'names.json'),
      `${place.url} ${place.projectId} ${kind}`,
      async () => read(await withProjectId(place), AbortSignal.timeout(limitMs)),
    );
  } catch {
    // A completing shell cannot show errors.
    return [];
  }
}

type Kept = Record<string, { at: number; names: string[] }>;

async function kept(path: string, key: string, read: () => Promise<string[]>): Promise<string[]> {
  const all: Kept = await readFile(path, 'utf8').then(JSON.parse, () => ({}));
  const known = all[key];
  const now = Date.now();
  if (known && now - known.at < KEPT_MS) return known.names;
  const names = await read();
  const fresh = Object.entries(all).filter(([, { at }]) => now - at < KEPT_MS);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify({ ...Object.fromEntries(fresh), [key]: { at: now, names } }), { mode: 0o600 });
  return names;
}
