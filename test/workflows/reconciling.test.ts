import { expect, jest, test } from '@jest/globals';
import { v7 } from 'uuid';
import { readConfig } from '../../config.ts';
import { ALL_BUCKETS } from '../../domain/buckets.ts';
import { endFailedWorkflows } from '../../engine/duties/endFailedWorkflows.ts';
import { ChangeFeed } from '../../engine/feeds/changeFeed.ts';
import { createTemporalEngine } from '../../engine/temporal/temporalEngine.ts';
import { createWorkflowExecution } from '../../prisma/store/execution/createExecution.ts';
import { readWorkflowHead } from '../../prisma/store/workflow/findWorkflow.ts';
import { createLog } from '../../process/log.ts';
import { startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnExecution } from '../setup/database/ownRows.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { poll } from '../setup/jest/poll.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { action } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const LOST = 5;

/** Simulates executions whose accepting process died. */
async function lostStarts(
  { workspaceId }: Home,
  workflowId: string,
  ids = Array.from({ length: LOST }, () => v7()),
): Promise<string[]> {
  const head = await readWorkflowHead(stackDatabase(), workspaceId, workflowId);
  if (!head) throw new Error('no workflow');
  for (const id of ids) {
    const execution = {
      id,
      trigger: {},
      variables: { names: [] },
      requestId: 'lost',
      startedBy: { type: 'workflow' as const },
    };
    await createWorkflowExecution(stackDatabase(), workspaceId, { workflowId, versionId: head.versionId }, execution);
  }
  return ids;
}

test('executions that cannot be started do not delay others and can be cancelled', async () => {
  const home = await makeHome();
  const graph = { nodes: [action('a', 'testing.succeed', { output: 1 })] };
  const broken = await home.deploy(graph);
  await stackDatabase().$executeRaw`
    UPDATE workflow_versions SET definition = '{"nodes": 1}' WHERE workflow_id = ${broken}::uuid`;
  const stuck = await lostStarts(home, broken);
  const lost = await lostStarts(home, await home.deploy(graph));
  for (const id of lost) expect(await home.ended(id)).toMatchObject({ status: 'COMPLETED', output: 1 });
  for (const id of stuck) {
    expect((await home.read(id)).status).toBe('PENDING');
    const { status, body } = await home.api('POST', `/api/executions/${id}/cancel`);
    expect([status, body.status]).toEqual([200, 'CANCELLED']);
  }
});

/** Uses the execution's id in Temporal for a terminated workflow. */
async function terminated(workflowType: string, workflowId: string): Promise<void> {
  const { workflow } = await stackTemporal();
  const handle = await workflow.start(workflowType, { workflowId, taskQueue: 'of-nobody' });
  await handle.terminate();
}

test('an accepted execution whose workflow ended without a write ends', async () => {
  const home = await makeHome();
  const id = v7();
  // Another type is missing from the list of failed ends, like a workflow that ended long before the reconciler's first
  // pass.
  await terminated('another', id);
  await lostStarts(home, await home.deploy({ nodes: [action('a', 'testing.succeed', { output: 1 })] }), [id]);
  expect(await home.ended(id)).toMatchObject({ status: 'CANCELLED', statusMessage: 'Terminated in the engine' });
});

test('bad ends are listed over several pages, up to a limit', async () => {
  const client = await stackTemporal();
  const engine = createTemporalEngine({ client, config: readConfig({}), eagerStart: false });
  const since = new Date(Date.now() - 1_000);
  const ids = Array.from({ length: LOST }, () => v7());
  for (const id of ids) await terminated('runExecution', id);
  const listed = async (limit: number) => (await engine.listEndedBadly(since, limit, 2)).executionIds;
  await poll(() => listed(1_000)).toEqual(expect.arrayContaining(ids));
  expect(await listed(3)).toHaveLength(3);
  // By the server's clock.
  const { newest } = await engine.listEndedBadly(since, 1_000);
  expect(newest?.getTime()).toBeGreaterThanOrEqual(since.getTime());
});

test('a bad end is noticed at the next look of a worker whose clock is ten minutes ahead', async () => {
  // Use separate rows, which no worker of the stack ends.
  const own = await startMigratedDatabase();
  onTestFinished(() => own.dispose());
  const { database } = own;
  const log = createLog('silent');
  const feed = new ChangeFeed({ database, pollMs: 3_600_000, log });
  onTestFinished(() => feed.stop());
  const engine = createTemporalEngine({ client: await stackTemporal(), config: readConfig({}), eagerStart: false });
  const duty = endFailedWorkflows({ database, engine, feed, log }, 1_000);
  const now = Date.now.bind(Date);
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 600_000);
  onTestFinished(() => clock.mockRestore());
  const look = () => duty.run(new AbortController().signal, () => undefined, ALL_BUCKETS);

  // The first check finds earlier ends; times are the server's.
  const before = await insertOwnExecution(database);
  await terminated('runExecution', before.executionId);
  const after = await insertOwnExecution(database);
  for (const { executionId } of [before, after]) {
    if (executionId === after.executionId) await terminated('runExecution', executionId);
    await poll(async () => {
      await look();
      return (await database.execution.findUniqueOrThrow({ where: { id: executionId } })).status;
    }).toBe('CANCELLED');
  }
});
