import { mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes JSON that only its owner may read (0600). A crash leaves the old file or the new one. */
export async function writePrivate(path: string, content: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const fresh = `${path}.new`;
  const file = await open(fresh, 'w', 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(`${JSON.stringify(content, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, path);
}
