import type { FileUIPart } from 'ai';
import { useSyncExternalStore } from 'react';
import { newReaders } from '../../ui/load/readers.ts';
import { KEPT_MS, STORED, storedFiles, whenPersonLeaves } from './browserStorage.ts';

/** The files of one message; `at`: epoch milliseconds. */
interface Kept {
  at: number;
  files: readonly FileUIPart[];
}

const NONE: readonly FileUIPart[] = [];

const known = new Map<string, readonly FileUIPart[]>();
const readers = newReaders();
/** Keeps tabs in sync. A message is the changed key, or undefined if all files are removed. */
const others = new BroadcastChannel(STORED.files.key);
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

async function readAll(): Promise<void> {
  const all = (await storedFiles.all<Kept>()) ?? [];
  const isOld = ({ at }: Kept) => Date.now() - at > KEPT_MS;
  know(() => {
    for (const [key, kept] of all) if (!isOld(kept)) known.set(key, kept.files);
  });
  const old = all.filter(([, kept]) => isOld(kept)).map(([key]) => key);
  await storedFiles.remove(old);
}

let opening: Promise<void> | undefined;

/** Reads earlier files into memory, once. If the browser stores nothing, files are lost when the page is left. */
export function openKeptFiles(): Promise<void> {
  opening ??= readAll();
  return opening;
}

/** Reads the files of a key again: a tab that has closed may have written them. */
export async function readFiles(key: string): Promise<void> {
  const kept = await storedFiles.get<Kept>(key);
  knowFiles(key, kept?.files ?? NONE);
}

export const filesOf = (key: string): readonly FileUIPart[] => known.get(key) ?? NONE;

export function useFilesOf(key: string): readonly FileUIPart[] {
  return useSyncExternalStore(readers.subscribe, () => filesOf(key));
}

/** Replaces the files of an unsent message: in memory at once, in the browser when the promise resolves. */
export async function keepFiles(key: string, files: readonly FileUIPart[]): Promise<void> {
  knowFiles(key, files);
  const kept: Kept = { at: Date.now(), files };
  const isStored = await (files.length === 0 ? storedFiles.remove([key]) : storedFiles.set(key, kept));
  if (isStored) others.postMessage(key);
}

whenPersonLeaves(() => {
  know(() => known.clear());
  others.postMessage(undefined);
});
