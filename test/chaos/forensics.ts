import { copyFile, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import type { Stack } from '../setup/stack/ownStack.ts';
import type { World } from './life.ts';
import { builtWorkflows } from './replayAll.ts';

const LAST_EVENTS = 12;
const LAST_LINES = 30;

/**
 * Prints the facts about executions that did not end. Whole histories and logs are kept in a folder, which it prints.
 */
export async function tellOpen(
  { home, temporal }: World,
  stack: Stack,
  open: ReadonlyMap<number, string>,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'perdure-chaos-'));
  const workflowBundle = await builtWorkflows();
  const reports = [...open].map(async ([index, executionId]) => {
    const { executionPath, ...read } = await home.read(executionId).catch((error) => ({ error: String(error) }));
    // biome-ignore lint/suspicious/noExplicitAny: its shape was checked against openapi.yaml
    const steps = executionPath?.map(({ nodeId, iteration, status, attempt }: any) =>
      [nodeId, ...iteration.map(({ index }: { index: number }) => index), status, attempt].join(' '),
    );
    const workflows: object[] = [];
    for await (const { workflowId } of temporal.workflow.list({ query: `WorkflowId STARTS_WITH '${executionId}'` })) {
      const handle = temporal.workflow.getHandle(workflowId);
      const { status, raw } = await handle.describe();
      if (status.name !== 'RUNNING' && workflowId !== executionId) continue;
      const history = await handle.fetchHistory();
      await writeFile(join(folder, `${index}-${workflows.length}.json`), historyToJSON(history));
      const replay = await Worker.runReplayHistory({ workflowBundle }, history, workflowId).then(() => 'ok', String);
      const { pendingActivities, pendingChildren, pendingWorkflowTask } = raw;
      const events = history.events?.slice(-LAST_EVENTS).map((each) => `${each.eventTime?.seconds} ${each.eventType}`);
      const pending = { pendingActivities, pendingChildren, pendingWorkflowTask };
      workflows.push({ workflowId, status: status.name, ...pending, replay, events });
    }
    return JSON.stringify({ index, executionId, read, steps, workflows }, undefined, 1);
  });
  for (const name of ['perdure.log', 'temporal.log'])
    await copyFile(join(stack.dataDir, 'logs', name), join(folder, name));
  const log = await readFile(join(folder, 'perdure.log'), 'utf8');
  const lines = log.split('\n').filter((line) => [...open.values()].some((id) => line.includes(id)));
  return [`(kept in ${folder})`, ...(await Promise.all(reports)), ...lines.slice(-LAST_LINES)].join('\n');
}
