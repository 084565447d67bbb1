import type { FileUIPart } from 'ai';
import { clear, createStore, delMany, entries, get, set } from 'idb-keyval';
import { useSyncExternalStore } from 'react';
import { newReaders } from '../../ui/load/readers.ts';
import { KEPT_MS } from './drafts.ts';

/** Files of one message, and when they were kept, in milliseconds since the epoch. */
interface Kept {
  at: number;
  files: readonly FileUIPart[];
}

const NONE: readonly FileUIPart[] = [];

const store = createStore('perdure files', 'files');
const known = new Map<string, readonly FileUIPart[]>();
const readers = newReaders();
/** All tabs of this browser have the same files. A tab says which key it has changed, or nothing where all are gone. */
const others = new BroadcastChannel('perdure files');
others.onmessage = ({ data: key }: MessageEvent<string | undefined>) => {
  if (key === undefined) know(() => known.clear());
  else void readFiles(key);
};

function know(change: () => void): void {
  change();
  readers.say();
}

const knowFiles = (key: string, files: readonly FileUIPart[]) =>
  know(() => (files.length === 0 ? known.delete(key) : known.set(key, files)));

/** A browser that keeps nothing, since its storage is full or switched off, has the files until the page is left. */
async function ifKept<Result>(act: Promise<Result>): Promise<Result | undefined> {
  try {
    return await act;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

async function readAll(): Promise<void> {
  const all = (await ifKept(entries<string, Kept>(store))) ?? [];
  const isOld = ({ at }: Kept) => Date.now() - at > KEPT_MS;
  know(() => {
    for (const [key, kept] of all) if (!isOld(kept)) known.set(key, kept.files);
  });
  const old = all.filter(([, kept]) => isOld(kept)).map(([key]) => key);
  await ifKept(delMany(old, store));
}

let opening: Promise<void> | undefined;

/** Before it has resolved, nothing is known of what was kept before this page was opened. */
export function openKeptFiles(): Promise<void> {
  opening ??= readAll();
  return opening;
}

/** Reads what there is under a key now, also where a tab that is gone has kept it. */
export async function readFiles(key: string): Promise<void> {
  const kept = await ifKept(get<Kept>(key, store));
  knowFiles(key, kept?.files ?? NONE);
}

export const filesOf = (key: string): readonly FileUIPart[] => known.get(key) ?? NONE;

export function useFilesOf(key: string): readonly FileUIPart[] {
  return useSyncExternalStore(readers.subscribe, () => filesOf(key));
}

/**
 * Keeps files of a message that is not sent, in place of those that were under the key: known at once, and beyond a reload
 * once it has resolved. `localStorage` has no room for them.
 */
export async function keepFiles(key: string, files: readonly FileUIPart[]): Promise<void> {
  knowFiles(key, files);
  const kept: Kept = { at: Date.now(), files };
  const keeping = files.length === 0 ? delMany([key], store) : set(key, kept, store);
  await ifKept(keeping.then(() => others.postMessage(key)));
}

/** When a session ends: who logs in next sees none of them. */
export async function forgetFiles(): Promise<void> {
  know(() => known.clear());
  await ifKept(clear(store).then(() => others.postMessage(undefined)));
}
