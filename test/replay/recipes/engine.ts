import { expect } from '@jest/globals';
import type { TriggerNode } from '../../../domain/workflow/definition.ts';
import { poll } from '../../setup/jest/poll.ts';
import { loopback } from '../../setup/providers/loopback.ts';
import { beginAgain } from '../../setup/stack/beginAgain.ts';
import { stackTemporal } from '../../setup/stack/temporal.ts';
import { action, chain, control, question } from '../../setup/workspace/graph.ts';
import type { Home } from '../../setup/workspace/home.ts';
import { execute, type NotExecution, type Recipes, remote, set } from './recipe.ts';

/** Triggers, node tests, holds, resets, exhausted slots, and nodes with their own workflow. */
export const ENGINE = {
  scheduled: (home) => byClock(home, { id: 'trigger', type: 'schedule', config: { everyMs: 1_000 } }),
  async polled(home) {
    const list = JSON.stringify([{ id: 1 }]);
    const { url } = await loopback(
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(list),
    );
    const config = { appId: 'http', triggerId: 'poll', inputs: { url }, everyMs: 1_000, startWith: 'all' as const };
    return byClock(home, { id: 'trigger', type: 'poll', config });
  },
  async nodeTest(home) {
    const workflowId = await home.deploy({ nodes: [remote('a')] });
    await home.api('POST', `/api/workflows/${workflowId}/nodes/a/test`, { body: {} });
    const { workflow } = await stackTemporal();
    const query = `WorkflowType = "testNode" AND PerdureWorkspace = "${home.workspaceId}"`;
    const found = async () => {
      for await (const { workflowId: engineId } of workflow.list({ query })) return engineId;
      return '';
    };
    await poll(found, { timeout: 30_000, interval: 200 }).not.toBe('');
    return { engineId: await found() };
  },
  async held(home) {
    const slug = 'held';
    const graph = { slug, nodes: [remote('inside')], maxConcurrent: 1, timeoutMs: 600_000 };
    const workflowId = await home.deploy(graph);
    await home.api('POST', `/api/workflows/${workflowId}/pause`);
    const id = await execute(home, { nodes: [control('call', 'runWorkflow', { workflowId })] });
    await home.until(id, ({ executionPath }) => executionPath[0]?.input?.executionId !== undefined);
    const [child] = (await home.read(id, 'childExecutions')).childExecutions;
    const { workflow } = await stackTemporal();
    // It has polled, and waits for a signal.
    const events = async () => (await workflow.getHandle(child.id).describe()).historyLength;
    await poll(events, { timeout: 20_000, interval: 100 }).toBeGreaterThanOrEqual(5);
    await home.api('POST', `/api/workflows/${workflowId}/resume`);
    return child.id;
  },
  async resetCaller(home) {
    const workflowId = await home.deploy({ nodes: [question('ask')] });
    const id = await execute(home, { nodes: [control('call', 'runWorkflow', { workflowId })] });
    const children = async () => (await home.read(id, 'childExecutions')).childExecutions;
    await poll(children).toHaveLength(1);
    const [child] = await children();
    await home.asked(child.id, 'ask');
    await beginAgain(id);
    await home.submit(child.id, 'ask', { answer: 'x' });
    return id;
  },
  async overflowed(home) {
    // The share of one workspace, of 200 places.
    const filling = await execute(home, {
      nodes: [
        control('each', 'forEach', { items: Array.from({ length: 100 }, (_, index) => index), concurrency: 100 }),
        action('long', 'testing.wait', { ms: 600_000 }, { parentId: 'each' }),
      ],
    });
    const path = `/api/executions/${filling}/steps?filterBy=nodeId:long,status:RUNNING`;
    const running = async () => (await home.api('GET', path)).body;
    await poll(running, { timeout: 30_000, interval: 200 }).toHaveLength(100);
    const id = await execute(home, { nodes: [remote('a'), remote('b')], edges: chain('a', 'b') });
    await home.ended(id);
    await home.api('POST', `/api/executions/${filling}/cancel`);
    return id;
  },
  attemptsElsewhere: (home) => elsewhere(home, 'flaky'),
  loopElsewhere: (home) => elsewhere(home, 'loop'),
} satisfies Recipes;

/** The first, ended start of a new workflow's trigger. */
async function byClock(home: Home, trigger: TriggerNode): Promise<NotExecution> {
  const { workflow, schedule } = await stackTemporal();
  const graph = { slug: 'by-clock', trigger, nodes: [set('a')] };
  const described = schedule.getHandle(`schedule-${await home.deploy(graph)}`);
  const first = async () => (await described.describe()).info.recentActions[0]?.action.workflow.workflowId ?? '';
  await poll(first, { timeout: 30_000, interval: 200 }).not.toBe('');
  const engineId = await first();
  await workflow.getHandle(engineId).result();
  await home.deploy({ ...graph, isActive: false });
  return { engineId };
}

/** A node's workflow: earlier attempts have used up the execution's budget for repetitions. */
async function elsewhere(home: Home, nodeId: string): Promise<NotExecution> {
  const retry = { maximumAttempts: 200, initialIntervalMs: 1, maximumIntervalMs: 1 };
  const id = await execute(home, {
    nodes: [
      action('flaky', 'testing.fail', { times: 184 }, { retry }),
      control('loop', 'repeat', { times: 2_100 }),
      { ...set('each'), parentId: 'loop' },
    ],
    edges: chain('flaky', 'loop'),
  });
  expect((await home.ended(id)).status).toBe('COMPLETED');
  return { engineId: `${id}/${nodeId}` };
}
