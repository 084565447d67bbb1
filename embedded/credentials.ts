import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWorkspace, type WorkspaceCredentials } from '../api/access/createWorkspace.ts';
import type { Database } from '../prisma/client.ts';
import { isDatabaseUnavailable } from '../prisma/databaseErrors.ts';
import { hasWorkspace } from '../prisma/store/workspace/workspaces.ts';
import { writePrivate } from './privateFile.ts';

export interface FirstCredentials extends WorkspaceCredentials {
  url: string;
  /** Null if the Temporal server is not ours. */
  temporalUiUrl: string | null;
}

const OWNER = 'admin@perdure.local';
const PATIENCE_MS = 60_000;
const PAUSE_MS = 200;

/** Reads the credentials of a running Perdure. Throws if its first start has not written them yet. */
export async function readCredentials(dataDir: string): Promise<FirstCredentials> {
  const kept = await readKept(join(dataDir, 'credentials.json'));
  if (kept) return kept;
  throw new Error('The running Perdure is still starting: try again when it reports that it is ready.');
}

async function readKept(path: string): Promise<FirstCredentials | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as FirstCredentials;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** After a crash, interrupted work resumes with the worker and may keep the database busy for a while. */
async function hasWorkspacePatiently(database: Database, workspaceId: string): Promise<boolean> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await hasWorkspace(database, workspaceId);
    } catch (error) {
      if (!isDatabaseUnavailable(error) || Date.now() > deadline) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/** If the file is missing or belongs to another database (DATABASE_URL changed), creates a new workspace: `isNew`. */
export async function provideCredentials(
  database: Database,
  dataDir: string,
  addresses: { url: string; temporalUiUrl: string | null },
): Promise<{ credentials: FirstCredentials; isNew: boolean }> {
  const path = join(dataDir, 'credentials.json');
  const kept = await readKept(path);
  const isNew = kept === undefined || !(await hasWorkspacePatiently(database, kept.workspaceId));
  const access = isNew ? await createWorkspace(database, { name: 'First workspace', email: OWNER }) : kept;
  const credentials: FirstCredentials = {
    url: addresses.url,
    temporalUiUrl: addresses.temporalUiUrl,
    apiKey: access.apiKey,
    email: access.email,
    // An existing user keeps their password; the previous file may contain it.
    password: access.password ?? (kept?.email === access.email ? kept.password : null),
    workspaceId: access.workspaceId,
    projectId: access.projectId,
  };
  await writePrivate(path, credentials);
  return { credentials, isNew };
}
