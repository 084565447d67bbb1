import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { makeHome } from '../setup/workspace/home.ts';
import { HISTORIES, historyFile, KINDS, type Kind } from './kinds.ts';
import { DOCUMENTS } from './recipes/documents.ts';
import { ENGINE } from './recipes/engine.ts';
import { LOOPS } from './recipes/loops.ts';
import { QUESTIONS } from './recipes/questions.ts';
import type { NotExecution, Recipe } from './recipes/recipe.ts';
import { STEPS } from './recipes/steps.ts';
import { TURNS } from './recipes/turns.ts';
import { WORKERS } from './recipes/workers.ts';

const RECIPES: Record<Kind, Recipe> = {
  ...STEPS,
  ...QUESTIONS,
  ...LOOPS,
  ...ENGINE,
  ...TURNS,
  ...DOCUMENTS,
  ...WORKERS,
};

const ENDS: Partial<Record<Kind, string>> = {
  failure: 'FAILED',
  cancelled: 'CANCELLED',
  loopCancelled: 'CANCELLED',
  agentRunWithdrawn: 'CANCELLED',
  loopTooLarge: 'FAILED',
  timedOut: 'TIMED_OUT',
};

test.each(KINDS)('%s', async (kind) => {
  const home = await makeHome();
  const made = await RECIPES[kind](home);
  if (typeof made === 'string') expect((await home.ended(made)).status).toBe(ENDS[kind] ?? 'COMPLETED');
  const { engineId, runId, client }: NotExecution = typeof made === 'string' ? { engineId: made } : made;
  const handle = (client ?? (await stackTemporal())).workflow.getHandle(engineId, runId);
  await handle.result().catch(() => undefined);
  const history = JSON.parse(historyToJSON(await handle.fetchHistory()));
  await mkdir(HISTORIES, { recursive: true });
  await writeFile(join(HISTORIES, historyFile(kind)), `${JSON.stringify(anonymous(history), null, 2)}\n`);
});

/** Removes the names of the recording processes and machine. */
function anonymous(value: unknown, key = ''): unknown {
  if (key === 'identity') return 'recorded';
  if (key === 'stackTrace') return '';
  if (key === 'stickyTaskQueue' || (key === 'taskQueue' && isSticky(value))) return { name: 'sticky' };
  if (Array.isArray(value)) return value.map((each) => anonymous(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, anonymous(each, name)]));
}

function isSticky(queue: unknown): boolean {
  return typeof queue === 'object' && queue !== null && JSON.stringify(queue).includes('STICKY');
}
