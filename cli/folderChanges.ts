import { existsSync, type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FOLDERS } from '../domain/bundle/folders.ts';
import { CASE_FOLDER } from './caseFiles.ts';

/** An editor replaces a file in several steps. */
const SETTLE_MS = 100;

/** Yields at once and after each change of a project's files, until the signal is aborted. */
export async function* folderChanges(folder: string, signal: AbortSignal): AsyncGenerator<void, void> {
  const paths = [folder, ...[...Object.values(FOLDERS), CASE_FOLDER].map((each) => join(folder, each))];
  let watchers: FSWatcher[] = [];
  const close = () => {
    for (const each of watchers) each.close();
  };
  try {
    while (!signal.aborted) {
      // Anew each time, because folders are created and replaced; before the caller reads, so that nothing is missed.
      close();
      let note = () => {};
      const changed = new Promise<void>((resolve) => {
        note = resolve;
      });
      watchers = paths.filter((path) => existsSync(path)).map((path) => watch(path, note).on('error', note));
      signal.addEventListener('abort', note, { once: true });
      yield;
      await changed;
      signal.removeEventListener('abort', note);
      if (!signal.aborted) await sleep(SETTLE_MS);
    }
  } finally {
    close();
  }
}
