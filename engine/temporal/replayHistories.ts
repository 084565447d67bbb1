import { readFile } from 'node:fs/promises';
import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { BUNDLE_PATH } from './bundlePath.ts';

export interface BrokenHistory {
  /** The workflow's id: an execution's or a turn's id, perhaps followed by a part. */
  workflowId: string;
  runId: string;
  type: string;
  isOpen: boolean;
  /** The difference in this build. */
  message: string;
}

export interface ReplayReport {
  replayed: number;
  open: number;
  broken: BrokenHistory[];
}

type Listed = Pick<BrokenHistory, 'workflowId' | 'runId' | 'type' | 'isOpen'>;

/**
 * Open histories first, then the newest. A broken one would stall until an earlier build is back. `bundle`: the path of
 * another build's workflows.
 */
export async function replayHistories(
  client: Client,
  taskQueue: string,
  limit: number,
  bundle = BUNDLE_PATH,
): Promise<ReplayReport> {
  const listed = new Map<string, Listed>();
  const code = await readFile(bundle, 'utf8');
  const results = Worker.runReplayHistories({ workflowBundle: { code } }, histories(client, taskQueue, limit, listed));
  const report: ReplayReport = { replayed: 0, open: 0, broken: [] };
  for await (const { workflowId, runId, error } of results) {
    const about = listed.get(`${workflowId}/${runId}`) ?? { workflowId, runId, type: '', isOpen: false };
    report.replayed += 1;
    if (about.isOpen) report.open += 1;
    if (error) report.broken.push({ ...about, message: error.message });
  }
  return report;
}

async function* histories(client: Client, taskQueue: string, limit: number, listed: Map<string, Listed>) {
  const ours = `TaskQueue = '${taskQueue.replaceAll("'", "''")}'`;
  for (const which of ["ExecutionStatus = 'Running'", "ExecutionStatus != 'Running'"]) {
    for await (const { workflowId, runId, type, status } of client.workflow.list({ query: `${ours} AND ${which}` })) {
      if (listed.size >= limit) return;
      const key = `${workflowId}/${runId}`;
      // It has ended between the two lists.
      if (listed.has(key)) continue;
      listed.set(key, { workflowId, runId, type, isOpen: status.name === 'RUNNING' });
      yield { workflowId, history: await client.workflow.getHandle(workflowId, runId).fetchHistory() };
    }
  }
}
