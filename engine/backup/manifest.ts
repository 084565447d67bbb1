import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { BackupProblem } from './backupProblem.ts';

/** Written last: a folder without it is not a complete backup. */
export const MANIFEST = 'manifest.json';

const time = z.iso.datetime();
const path = z.string().regex(/^(?!\/)(?!.*(^|\/)\.\.(\/|$)).+$/, 'expected a path below the folder');

/** The description of a backup. It contains no key, password or address. */
const SCHEMA = z.object({
  format: z.literal(1),
  /** Three Postgres databases, Perdure's alone, or the data folder of `npm start`. */
  kind: z.enum(['postgres', 'postgresWithoutTemporal', 'folder']),
  version: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  startedAt: time,
  finishedAt: time,
  /** The time of each part's state by its database's clock; Temporal's is older. */
  temporalAt: time.nullable(),
  perdureAt: time,
  /** Ids of the keys in use, each with a value that identifies a wrong key. */
  keys: z.array(z.object({ id: z.string(), check: z.string() })),
  temporalNamespace: z.string(),
  /** Versions of Postgres (`server_version_num`) and pg_dump; null for a folder. */
  postgres: z
    .object({
      server: z.number(),
      dump: z.number(),
      extensions: z.array(z.object({ database: z.string(), name: z.string() })),
    })
    .nullable(),
  files: z.array(z.object({ path, bytes: z.number(), sha256: z.string() })),
  folders: z.array(path).optional(),
});

export type Manifest = z.output<typeof SCHEMA>;
export type BackedUpFile = Manifest['files'][number];

/** Creates a folder for a backup that only the owner may enter. Throws a BackupProblem if it is not empty. */
export async function provideEmptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new BackupProblem(`${folder} is not empty: name a new folder`);
  await chmod(folder, 0o700);
}

/** Returns size and checksum of a file below `folder`, and makes it readable by its owner only. */
export async function describeFile(folder: string, path: string): Promise<BackedUpFile> {
  const file = join(folder, path);
  await chmod(file, 0o600);
  return { path, bytes: (await stat(file)).size, sha256: await sha256Of(file) };
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  // `wx` refuses a second backup into the same folder.
  const file = await open(join(folder, MANIFEST), 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Throws a BackupProblem if the folder has no complete backup, or one that this build cannot read. */
export async function readManifest(folder: string): Promise<Manifest> {
  let text: string;
  try {
    text = await readFile(join(folder, MANIFEST), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new BackupProblem(`${folder} holds no whole backup: there is no ${MANIFEST}, which is written last`);
  }
  const parsed = SCHEMA.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  const places = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new BackupProblem(`${join(folder, MANIFEST)} is not valid: ${places.join('; ')}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Throws a BackupProblem that names every changed file. */
export async function requireWholeFiles(folder: string, { files }: Manifest): Promise<void> {
  const changed: string[] = [];
  for (const { path, bytes, sha256 } of files) {
    const file = join(folder, path);
    const size = await stat(file).then(
      (found) => found.size,
      () => undefined,
    );
    if (size === undefined) changed.push(`${path}: missing`);
    else if (size !== bytes) changed.push(`${path}: ${size} bytes instead of ${bytes}`);
    else if ((await sha256Of(file)) !== sha256) changed.push(`${path}: its checksum differs`);
  }
  if (changed.length > 0)
    throw new BackupProblem(`The backup is damaged, nothing was written:\n  ${changed.join('\n  ')}`);
}
