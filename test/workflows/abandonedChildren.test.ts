// test: long
import { beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { acceptChildExecution } from '../../prisma/store/execution/acceptChildExecution.ts';
import { readWorkflowHead } from '../../prisma/store/workflow/findWorkflow.ts';
import { poll } from '../setup/jest/poll.ts';
import { engineStatus, stackTemporal } from '../setup/stack/temporal.ts';
import { action, control, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

let home: Home;
beforeAll(async () => {
  home = await makeHome();
});

const HOWS = ['cancel', 'terminate'] as const;

const quick = () => home.deploy({ nodes: [action('a', 'testing.wait', { ms: 20 })] });

/** Creates a child that its region has accepted but whose start command has not reached the server. */
async function acceptedOnly(workflowId: string, starterId: string, parentExecutionId?: string): Promise<string> {
  const { workspaceId } = home;
  const head = await readWorkflowHead(stackDatabase(), workspaceId, workflowId);
  if (!head) throw new Error('no workflow');
  const id = v7();
  const origin = { startedBy: 'workflow' as const, requestId: 'accepted', starterId, parentExecutionId };
  const child = { id, trigger: {}, variables: { names: [] }, ...origin };
  await acceptChildExecution(stackDatabase(), workspaceId, { workflowId, versionId: head.versionId }, child);
  return id;
}

async function asking(): Promise<string> {
  const executionId = await home.execute(await home.deploy({ nodes: [question('ask')] }));
  await home.asked(executionId, 'ask');
  return executionId;
}

const stop = (executionId: string, how: (typeof HOWS)[number]) =>
  home.api('POST', `/api/executions/${executionId}/${how}`);

async function expectNeverRun(executionId: string) {
  const child = await home.ended(executionId);
  expect(child).toMatchObject({ status: 'CANCELLED', executionPath: [] });
  expect(child.statusMessage).toBe('Cancelled: what was to start it had ended before');
}

test.each(HOWS)('%s: what the execution has accepted and not started never runs', async (how) => {
  const parentId = await asking();
  const childId = await acceptedOnly(await quick(), parentId, parentId);
  await stop(parentId, how);
  await expectNeverRun(childId);
  expect(await engineStatus(childId)).toBe('TERMINATED');
});

test('one that was accepted after the end of its parent does not run', async () => {
  const parentId = await asking();
  await stop(parentId, 'terminate');
  await expectNeverRun(await acceptedOnly(await quick(), parentId, parentId));
});

test('one whose step was closed with its iteration ends while its parent continues', async () => {
  const parentId = await asking();
  const childId = await acceptedOnly(await quick(), parentId, parentId);
  await stackDatabase().$executeRaw`
    INSERT INTO execution_steps (id, execution_id, workspace_id, node_id, iteration, type, label, status, attempt, input, queued_at)
    SELECT ${v7()}::uuid, execution_id, workspace_id, 'call', 'each:0', type, label, 'CANCELLED', 1,
      jsonb_build_object('executionId', ${childId}::text), queued_at
    FROM execution_steps WHERE execution_id = ${parentId}::uuid`;
  await expectNeverRun(childId);
  expect((await home.read(parentId)).status).toBe('NEEDS_INPUT');
});

test('one whose parent runs waits for it', async () => {
  const parentId = await asking();
  const childId = await acceptedOnly(await quick(), `${parentId}/each:0`, parentId);
  // Long enough for two checks by the reconciler.
  const seen = await lookedAtTwice(childId);
  expect(seen).toBe('PENDING');
  await stop(parentId, 'cancel');
  await expectNeverRun(childId);
});

async function lookedAtTwice(executionId: string): Promise<string> {
  const times = new Set<number>();
  await poll(
    async () => {
      const row = await stackDatabase().execution.findUniqueOrThrow({ where: { id: executionId } });
      times.add(row.reconciledAt.getTime());
      return times.size;
    },
    { timeout: 30_000 },
  ).toBeGreaterThanOrEqual(3);
  return (await home.read(executionId)).status;
}

test('the execution of a time of a schedule that was terminated does not run; of one that is unknown it does', async () => {
  const starterId = `schedule-${v7()}`;
  const { workflow } = await stackTemporal();
  await (await workflow.start('runScheduled', { workflowId: starterId, taskQueue: 'of-nobody' })).terminate();
  const workflowId = await quick();
  await expectNeverRun(await acceptedOnly(workflowId, starterId));
  const child = await home.ended(await acceptedOnly(workflowId, `schedule-${v7()}`));
  expect(child.status).toBe('COMPLETED');
});

/** Long form: ABANDONED_ROUNDS=40. */
const ROUNDS = Number(process.env.ABANDONED_ROUNDS ?? 4);

test('stopped at any moment, a loop over a sub-workflow has no child that begins afterwards', async () => {
  const workflowId = await quick();
  const loop = await home.deploy({
    nodes: [
      control('each', 'forEach', { items: Array.from({ length: 24 }, (_, n) => n), concurrency: 8 }),
      control('call', 'runWorkflow', { workflowId }, { parentId: 'each' }),
    ],
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    const parentId = await home.execute(loop);
    await new Promise((go) => setTimeout(go, Math.random() * 800));
    await stop(parentId, HOWS[round % 2] ?? 'cancel');
    const parent = await home.ended(parentId);
    const children = async () => {
      const { body } = await home.api('GET', `/api/executions?filterBy=parentExecutionId:${parentId}&limit=100`);
      return body as { id: string; status: string }[];
    };
    await poll(async () => (await children()).filter(({ status }) => ['PENDING', 'RUNNING'].includes(status)).length, {
      timeout: 60_000,
    }).toBe(0);
    if (parent.status !== 'CANCELLED') continue;
    const endedAt = Date.parse((await home.read(parentId, 'stoppedAt')).stoppedAt);
    for (const { id } of await children()) {
      const { startedAt } = await home.read(id, 'startedAt');
      // A running child is cancelled but may begin a step until the request arrives; no other child begins.
      if (startedAt !== null) expect(Date.parse(startedAt)).toBeLessThan(endedAt + 500);
    }
  }
}, 240_000);
