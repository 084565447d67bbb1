import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { overflowQueue } from '../../temporal-workflows/names.ts';

const OVERFLOW = overflowQueue('');

export interface Replayed {
  histories: number;
  /** Attempts that moved to the overflow queue. */
  overflowed: number;
}

/** The bundle of the workers. */
export async function builtWorkflows(): Promise<{ code: string }> {
  return { code: await readFile(join(PROJECT_ROOT, 'dist/workflow-bundle.js'), 'utf8') };
}

async function* histories({ workflow }: Client, counts: Replayed) {
  for await (const { workflowId, runId } of workflow.list()) {
    const history = await workflow.getHandle(workflowId, runId).fetchHistory();
    for (const { activityTaskScheduledEventAttributes: activity } of history.events ?? []) {
      if (activity?.taskQueue?.name?.endsWith(OVERFLOW)) counts.overflowed += 1;
    }
    yield { workflowId, history };
  }
}

/** Replays every history of the server, even those that only a kill at another moment would have blocked. Throws. */
export async function replayAll(temporal: Client): Promise<Replayed> {
  const failed: string[] = [];
  const counts = { histories: 0, overflowed: 0 };
  const results = Worker.runReplayHistories({ workflowBundle: await builtWorkflows() }, histories(temporal, counts));
  for await (const { workflowId, runId, error } of results) {
    counts.histories += 1;
    if (!error) continue;
    const file = join(await mkdtemp(join(tmpdir(), 'perdure-chaos-')), 'history.json');
    await writeFile(file, historyToJSON(await temporal.workflow.getHandle(workflowId, runId).fetchHistory()));
    failed.push(`${workflowId}: ${error.message} (${file})`);
  }
  if (failed.length > 0) throw new Error(`Histories that do not replay:\n${failed.join('\n')}`);
  return counts;
}
