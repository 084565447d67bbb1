import { open } from 'node:fs/promises';
import { MEANINGS, type Restored, type RestoredKind } from './settleRestored.ts';

/** Of each kind, what the answer shows. */
const SHOWN = 20;

/** What may be repeated, for people: each kind with its meaning, its count and the first ones. */
export function shownReport(restored: Restored): Record<string, { meaning: string; count: number; first: object[] }> {
  const kinds = (Object.keys(MEANINGS) as RestoredKind[]).filter((kind) => restored[kind].length > 0);
  return Object.fromEntries(
    kinds.map((kind) => {
      const found = restored[kind];
      return [kind, { meaning: MEANINGS[kind], count: found.length, first: found.slice(0, SHOWN) }];
    }),
  );
}

/** All of it, a line of JSON each (`{kind, id, workspaceId, executionId?, nodeId?}`), in a new file that only its owner may read. */
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
