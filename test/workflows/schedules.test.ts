import { expect, test } from '@jest/globals';
import { type Client, ScheduleNotFoundError } from '@temporalio/client';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { v7 } from 'uuid';
import type { ScheduleConfig } from '../../domain/workflow/definition.ts';
import { acceptChildExecution } from '../../prisma/store/execution/acceptChildExecution.ts';
import { readWorkflowHead } from '../../prisma/store/workflow/findWorkflow.ts';
import { poll } from '../setup/jest/poll.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { action, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const POLL = { timeout: 40_000, interval: 200 };

function scheduled(config: ScheduleConfig) {
  return { id: 'trigger' as const, type: 'schedule' as const, config };
}
const shows = action('show', 'core.transform', { value: '{{ trigger }}' });

interface Listed {
  id: string;
  status: string;
  startedBy: object;
  output: { scheduledAt: string; firedAt: string } | null;
}

async function executions(home: Home, workflowId: string): Promise<Listed[]> {
  const path = `/api/executions?filterBy=workflowId:${workflowId}&expansion=status,output,startedBy`;
  return (await home.api('GET', path)).body;
}

async function nextTime(home: Home, workflowId: string): Promise<string | null> {
  const { body } = await home.api('GET', `/api/workflows/${workflowId}?expansion=nextScheduledExecution`);
  return body.nextScheduledExecution;
}

async function described(workflowId: string) {
  try {
    return await (await stackTemporal()).schedule.getHandle(`schedule-${workflowId}`).describe();
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return undefined;
    throw error;
  }
}

test.concurrent('a schedule starts an execution at each of its times, and follows upsert, isActive and trigger', async () => {
  const home = await makeHome();
  const slug = 'each-second';
  const deployedAt = Date.now();
  const workflowId = await home.deploy({ slug, trigger: scheduled({ cron: '* * * * * *' }), nodes: [shows] });
  const next = await nextTime(home, workflowId);
  expect(Date.parse(next ?? '')).toBeGreaterThan(deployedAt);
  const { body: list } = await home.api('GET', '/api/workflows?expansion=nextScheduledExecution');
  expect(list[0].nextScheduledExecution).toMatch(/^\d{4}-.*\.000Z$/);

  const completed = async () => (await executions(home, workflowId)).filter(({ status }) => status === 'COMPLETED');
  await poll(async () => (await completed()).length, POLL).toBeGreaterThanOrEqual(2);
  const times = (await completed()).map(({ output }) => output?.scheduledAt);
  expect(new Set(times).size).toBe(times.length);
  for (const { output, startedBy } of await completed()) {
    expect(startedBy).toEqual({ type: 'schedule' });
    expect(output?.scheduledAt).toMatch(/\.000Z$/);
    expect(Date.parse(output?.firedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(output?.scheduledAt ?? ''));
  }

  await home.deploy({ slug, trigger: scheduled({ cron: '0 0 1 1 *', timezone: 'Asia/Tokyo' }), nodes: [shows] });
  const newYear = new Date(Date.UTC(new Date(Date.now() + 9 * 3_600_000).getUTCFullYear(), 11, 31, 15)).toISOString();
  expect(await nextTime(home, workflowId)).toBe(newYear);

  await home.deploy({ slug, isActive: false, nodes: [shows], trigger: scheduled({ everyMs: 3_600_000 }) });
  expect(await nextTime(home, workflowId)).toBeNull();
  expect(await described(workflowId)).toBeUndefined();

  await home.deploy({ slug, isActive: true, nodes: [shows], trigger: scheduled({ everyMs: 3_600_000 }) });
  expect(await nextTime(home, workflowId)).toMatch(/:00:00\.000Z$/);

  await home.deploy({ slug, nodes: [shows] });
  expect(await nextTime(home, workflowId)).toBeNull();
  expect(await described(workflowId)).toBeUndefined();
});

test.concurrent('skip: while an execution runs, no other begins; a workflow that is deleted takes its schedule along', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({ trigger: scheduled({ everyMs: 1_000 }), nodes: [question('ask')] });
  await poll(async () => (await executions(home, workflowId)).length, POLL).toBe(1);
  await poll(async () => (await described(workflowId))?.info.numActionsSkippedOverlap, POLL).toBeGreaterThanOrEqual(2);
  expect(await executions(home, workflowId)).toHaveLength(1);
  // No operation deletes workflows yet; the database's trigger and the reconciler handle the deletion.
  await stackDatabase().$executeRaw`
    WITH gone AS (DELETE FROM executions WHERE workflow_id = ${workflowId}::uuid)
    DELETE FROM workflows WHERE id = ${workflowId}::uuid`;
  await poll(() => described(workflowId), POLL).toBeUndefined();
});

test.concurrent.each(['cancelOther', 'terminateOther'] as const)(
  '%s: the execution before ends for the next',
  async (overlap) => {
    const home = await makeHome();
    const slug = 'others';
    const workflowId = await home.deploy({
      slug,
      trigger: scheduled({ everyMs: 1_000, overlap }),
      nodes: [question('ask')],
    });
    await poll(async () => (await executions(home, workflowId)).map(({ status }) => status), POLL).toEqual(
      expect.arrayContaining(['CANCELLED', 'NEEDS_INPUT']),
    );
    await home.deploy({ slug, isActive: false, nodes: [question('ask')] });
  },
);

test.concurrent('a schedule can be started by hand', async () => {
  const home = await makeHome();
  const execution = await home.run({ trigger: scheduled({ cron: '0 0 1 1 *' }), nodes: [shows] }, { by: 'hand' });
  expect(execution).toMatchObject({ status: 'COMPLETED', output: { by: 'hand' } });
  expect(execution.output.scheduledAt).toBe(execution.output.firedAt);
});

/** Starts runScheduled for a time of the schedule, like Temporal. */
async function fire(client: Client, home: Home, workflowId: string, at: Date, name: string) {
  return client.workflow.start('runScheduled', {
    workflowId: `scheduled-${workflowId}-${name}`,
    taskQueue: 'perdure',
    args: [{ workspaceId: home.workspaceId, workflowId, overlap: 'skip' }],
    typedSearchAttributes: new TypedSearchAttributes([
      { key: defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME'), value: at },
    ]),
  });
}

test.concurrent('a time that fires twice starts one execution; the second workflow waits for it, and cancelling it cancels the execution', async () => {
  const home = await makeHome();
  const client = await stackTemporal();
  const workflowId = await home.deploy({ trigger: scheduled({ cron: '0 0 1 1 *' }), nodes: [question('ask')] });
  const [first, second] = ['2026-11-21T10:00:00Z', '2026-11-21T11:00:00Z'].map((time) => new Date(time));
  if (!first || !second) throw new Error('two times');
  const runs = [await fire(client, home, workflowId, first, 'a'), await fire(client, home, workflowId, first, 'b')];
  await poll(async () => (await executions(home, workflowId))[0]?.status, POLL).toBe('NEEDS_INPUT');
  const [{ id } = { id: '' }] = await executions(home, workflowId);
  // Both have started: one has a child, the other a waiting activity.
  await poll(async () => {
    const raw = await Promise.all(runs.map(async (run) => (await run.describe()).raw));
    return raw.map(({ pendingChildren, pendingActivities }) => [
      pendingChildren?.length ?? 0,
      pendingActivities?.length ?? 0,
    ]);
  }, POLL).toEqual(
    expect.arrayContaining([
      [1, 0],
      [0, 1],
    ]),
  );
  await home.submit(id, 'ask', { answer: 'x' });
  expect(await Promise.all(runs.map((run) => run.result()))).toEqual(['COMPLETED', 'COMPLETED']);
  expect(await executions(home, workflowId)).toHaveLength(1);

  const run = await fire(client, home, workflowId, second, 'c');
  await poll(async () => (await executions(home, workflowId))[0]?.status, POLL).toBe('NEEDS_INPUT');
  await run.cancel();
  await expect(run.result()).rejects.toThrow();
  expect((await executions(home, workflowId))[0]?.status).toBe('CANCELLED');
});

test.concurrent('the reconciler starts an accepted execution only after its starter has ended', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({ nodes: [action('a', 'core.set', { values: { done: true } })] });
  const starter = await home.execute(await home.deploy({ nodes: [question('ask')] }));
  await home.asked(starter, 'ask');
  const head = await readWorkflowHead(stackDatabase(), home.workspaceId, workflowId);
  if (!head) throw new Error('no workflow');
  const accept = async (starterId: string, parentExecutionId?: string) => {
    const id = v7();
    const origin = { startedBy: 'workflow' as const, parentExecutionId, starterId };
    const child = { id, trigger: {}, variables: { names: [] }, ...origin };
    expect(await acceptChildExecution(stackDatabase(), home.workspaceId, { ...head, workflowId }, child)).toMatchObject(
      { held: false },
    );
    expect(
      await acceptChildExecution(stackDatabase(), home.workspaceId, { ...head, workflowId }, child),
    ).toBeUndefined();
    return id;
  };
  const held = await accept(starter, starter);
  // Accepted later but started, so the same pass has also checked the other one.
  const lost = await accept('a workflow that has gone');
  expect(await home.ended(lost)).toMatchObject({ status: 'COMPLETED', output: { done: true } });
  expect(await home.read(held, 'parentExecution')).toMatchObject({
    status: 'PENDING',
    parentExecution: { id: starter },
  });
  await home.submit(starter, 'ask', { answer: 'x' });
  expect((await home.ended(held)).status).toBe('CANCELLED');
});

test.concurrent('a refusal of the engine is reported, and a change is tried at once', async () => {
  const home = await makeHome();
  const yearly = { slug: 'yearly', trigger: scheduled({ cron: '0 0 1 1 *' }), nodes: [shows] };
  const workflowId = await home.deploy(yearly);
  // A time zone that passed the check but that Temporal lacks.
  await stackDatabase().$executeRaw`
    UPDATE workflow_versions SET definition = jsonb_set(definition, '{trigger,config,timezone}', '"Mars/Base"')
    WHERE workflow_id = ${workflowId}::uuid`;
  await stackDatabase().$executeRaw`UPDATE workflows SET updated_at = now() WHERE id = ${workflowId}::uuid`;
  const lastError = async () => {
    const { body } = await home.api('GET', `/api/workflows/${workflowId}?expansion=triggerStatus`);
    return body.triggerStatus.lastError;
  };
  await poll(lastError, POLL).toMatchObject({ code: 'SCHEDULE_REFUSED', message: expect.any(String) });
  await home.deploy({ ...yearly, trigger: scheduled({ everyMs: 3_600_000 }) });
  expect(await lastError()).toBeNull();
  expect(await nextTime(home, workflowId)).toMatch(/:00:00\.000Z$/);
});

test.concurrent('the mistakes of a schedule are listed, and nothing is stored', async () => {
  const home = await makeHome();
  const body = { slug: 'wrong', trigger: scheduled({ cron: '61 * * * *', timezone: 'Mars' }), nodes: [shows] };
  const answer = await home.api('POST', `/api/projects/${home.projectId}/workflows/upsert`, { body });
  expect(answer.status).toBe(400);
  expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual([
    'trigger.config.cron',
    'trigger.config.timezone',
  ]);
  expect((await home.api('GET', '/api/workflows')).body).toEqual([]);
});
