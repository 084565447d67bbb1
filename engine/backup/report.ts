import { open } from 'node:fs/promises';
import { MEANINGS, type Restored, type RestoredKind } from './settleRestored.ts';

const SHOWN = 20;

/** Returns, for people, what may be repeated: the meaning, the count and the first entries of each kind. */
export function shownReport(restored: Restored): Record<string, { meaning: string; count: number; first: object[] }> {
  const kinds = (Object.keys(MEANINGS) as RestoredKind[]).filter((kind) => restored[kind].length > 0);
  return Object.fromEntries(
    kinds.map((kind) => {
      const found = restored[kind];
      return [kind, { meaning: MEANINGS[kind], count: found.length, first: found.slice(0, SHOWN) }];
    }),
  );
}

/** Writes JSON lines (`{kind, id, workspaceId, executionId?, nodeId?}`) to a new file that only its owner may read. */
export async function writeReport(path: string, restored: Restored): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for (const kind of Object.keys(MEANINGS) as RestoredKind[]) {
      for (const each of restored[kind]) await file.appendFile(`${JSON.stringify({ kind, ...each })}\n`);
    }
  } finally {
    await file.close();
  }
}
