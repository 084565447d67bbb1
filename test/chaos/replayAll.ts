import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { PROJECT_ROOT } from '../../projectRoot.ts';

/** As the workers have it. */
export async function builtWorkflows(): Promise<{ code: string }> {
  return { code: await readFile(join(PROJECT_ROOT, 'dist/workflow-bundle.js'), 'utf8') };
}

async function* histories({ workflow }: Client) {
  for await (const { workflowId, runId } of workflow.list()) {
    yield { workflowId, history: await workflow.getHandle(workflowId, runId).fetchHistory() };
  }
}

/**
 * Replays every history of the server, so that an execution is found as well that a kill at another moment would have
 * stuck for ever. Answers how many; throws with those that fail, which are kept in a folder.
 */
export async function replayAll(temporal: Client): Promise<number> {
  const failed: string[] = [];
  let replayed = 0;
  const results = Worker.runReplayHistories({ workflowBundle: await builtWorkflows() }, histories(temporal));
  for await (const { workflowId, runId, error } of results) {
    replayed += 1;
    if (!error) continue;
    const file = join(await mkdtemp(join(tmpdir(), 'perdure-chaos-')), 'history.json');
    await writeFile(file, historyToJSON(await temporal.workflow.getHandle(workflowId, runId).fetchHistory()));
    failed.push(`${workflowId}: ${error.message} (${file})`);
  }
  if (failed.length > 0) throw new Error(`Histories that do not replay:\n${failed.join('\n')}`);
  return replayed;
}
