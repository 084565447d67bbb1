import { lstat, opendir, realpath } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { PollItem } from '../../../domain/execution/triggerCalls.ts';
import { type Poller, pollFailed } from '../poller.ts';

export interface FilesSettings {
  /** FILES_ROOT: the only folder that workflows can read; absent: none. */
  filesRoot: string | undefined;
  maxItems: number;
}

interface Search {
  root: string;
  recursive: boolean;
  endsWith: string;
  most: number;
  signal: AbortSignal;
}

/** `files.changed`: all files with time and size. A changed file gets a new key. */
export function buildFilesChanged({ filesRoot, maxItems }: FilesSettings): Poller {
  return async ({ inputs, signal }) => {
    const {
      folder = '',
      recursive = false,
      endsWith = '',
    } = inputs as {
      folder?: string;
      recursive?: boolean;
      endsWith?: string;
    };
    if (filesRoot === undefined) return pollFailed('FILES_NOT_ENABLED', 'The setting FILES_ROOT names no folder.');
    const found = await placeOf(filesRoot, folder);
    if (found === undefined) return pollFailed('FILES_NO_FOLDER', `There is no folder "${folder}" in FILES_ROOT.`);
    const items: PollItem[] = [];
    await collect(found.folder, { root: found.root, recursive, endsWith, most: maxItems, signal }, items);
    // May be one above the limit, from which the caller detects that there are too many.
    return { ok: true, items: items.toSorted((a, b) => (a.key < b.key ? -1 : 1)), cursor: null };
  };
}

/** Undefined both for a missing folder and for one outside the root, so that callers cannot distinguish them. */
async function placeOf(filesRoot: string, folder: string): Promise<{ root: string; folder: string } | undefined> {
  if (folder.includes('\0')) return undefined;
  try {
    const root = await realpath(filesRoot);
    const real = await realpath(resolve(root, `./${folder}`));
    const isInside = real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
    return isInside && (await lstat(real)).isDirectory() ? { root, folder: real } : undefined;
  } catch {
    return undefined;
  }
}

async function collect(folder: string, search: Search, items: PollItem[]): Promise<void> {
  for await (const entry of await opendir(folder)) {
    search.signal.throwIfAborted();
    if (items.length > search.most) return;
    const path = join(folder, entry.name);
    // Links are neither, so their targets are left out.
    if (entry.isDirectory() && search.recursive) await collect(path, search, items);
    else if (entry.isFile() && entry.name.endsWith(search.endsWith)) await add(path, entry.name, search.root, items);
  }
}

async function add(path: string, name: string, root: string, items: PollItem[]): Promise<void> {
  // It may have been removed meanwhile, or replaced by a link.
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isFile()) return;
  const shown = relative(root, path).split(sep).join('/');
  items.push({
    key: `${shown}\n${found.mtimeMs}\n${found.size}`,
    item: { path: shown, name, sizeBytes: found.size, modifiedAt: found.mtime.toISOString() },
  });
}
