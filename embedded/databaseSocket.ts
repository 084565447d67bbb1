import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, mkdtemp } from 'node:fs/promises';
import type { NetConnectOpts } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The file name that Postgres clients expect; the port is only part of the name. */
const FILE = '.s.PGSQL.5432';

/** The shortest system limit of a socket's path in bytes: Linux 107, macOS 103. */
const MAX_PATH_LENGTH = 103;

const fits = (folder: string) => Buffer.byteLength(join(folder, FILE)) <= MAX_PATH_LENGTH;

/** Mode 0700: its users are superusers. In the temporary folder if the path is too long, stable for the same data. */
export async function provideSocketFolder(dataDir: string, temporary = tmpdir()): Promise<string> {
  const own = join(dataDir, 'socket');
  if (fits(own)) {
    await mkdir(own, { recursive: true, mode: 0o700 });
    await chmod(own, 0o700);
    return own;
  }
  const name = `perdure-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`;
  const short = join(temporary, name);
  if (!fits(`${short}-123456`)) throw new Error(`No socket fits below ${temporary}: set TMPDIR to a shorter folder.`);
  await mkdir(short, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  // The temporary folder is shared: an existing path may belong to another user, or be a link.
  const found = await lstat(short);
  const isOurs = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
  return isOurs ? short : mkdtemp(`${short}-`);
}

export function socketFile(folder: string): string {
  return join(folder, FILE);
}

/** Returns the URL; libpq, psql and pg treat a host that begins with a slash as a socket's folder. */
export function socketUrl(folder: string): string {
  return `postgresql://postgres@${encodeURIComponent(folder)}/postgres`;
}

export function addressOf(databaseUrl: string): NetConnectOpts {
  const { hostname, port } = new URL(databaseUrl);
  const host = decodeURIComponent(hostname);
  return host.startsWith('/') ? { path: socketFile(host) } : { host, port: Number(port || 5432) };
}
