import { expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { createWorkflowExecution } from '../../prisma/store/execution/createExecution.ts';
import { recordProgress } from '../../prisma/store/execution/recordProgress.ts';
import { readWorkflowHead } from '../../prisma/store/workflow/findWorkflow.ts';
import { action, edges } from '../setup/workspace/graph.ts';
import { makeHome, statuses } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const at = new Date().toISOString();
const ran = { iteration: '', type: 'action' as const, attempt: 1, startedAt: at, stoppedAt: at };

test('a region that is run again leaves no step open that was shown before its worker died', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({
    nodes: [
      action('a', 'core.set', { values: {} }),
      action('fails', 'core.assert', { condition: false }),
      action('far', 'testing.succeed'),
    ],
    edges: edges('a>fails', 'a>far'),
  });
  const database = stackDatabase();
  const head = await readWorkflowHead(database, home.workspaceId, workflowId);
  const id = v7();
  const execution = {
    id,
    trigger: {},
    variables: { names: [] },
    requestId: 'again',
    startedBy: { type: 'workflow' as const },
  };
  const version = { workflowId, versionId: head?.versionId ?? '' };
  await createWorkflowExecution(database, home.workspaceId, version, execution);
  // Simulates two regions of one workflow task whose completion was lost.
  const error = { code: 'ASSERTION_FAILED', message: 'no', attempt: 1 };
  const queued = { iteration: '', type: 'action' as const, attempt: 1, appId: 'testing', actionId: 'succeed' };
  await recordProgress(database, home.workspaceId, id, {
    steps: [
      { ...ran, id: v7(), nodeId: 'a', label: 'a', appId: 'core', actionId: 'set', status: 'COMPLETED', output: {} },
      { ...ran, id: v7(), nodeId: 'fails', label: 'f', appId: 'core', actionId: 'assert', status: 'FAILED', error },
      { ...queued, id: v7(), nodeId: 'far', label: 'far', status: 'QUEUED' },
    ],
  });
  await database.$executeRaw`UPDATE executions SET status = 'PENDING' WHERE id = ${id}::uuid`;

  const ended = await home.ended(id);
  expect(ended.status).toBe('FAILED');
  expect(statuses(ended)).toEqual({ a: 'COMPLETED', fails: 'FAILED', far: 'CANCELLED' });
});
