import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** For all folders of a run together; a container has 64 MiB by default. */
const ROOM_BYTES = 4 * 1024 ** 3;

function hasRoom() {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ROOM_BYTES;
}

/**
 * A new folder for a database, in memory if it has room: creating and removing thousands of files on a disk takes up to
 * a third of the processor time of tests with their own database.
 * @param {string} prefix
 */
export const newDataFolder = (prefix) => mkdtempSync(join(hasRoom() ? MEMORY : tmpdir(), prefix));
