import { beforeAll, expect, test } from '@jest/globals';
import { AT_ONCE } from '../../temporal-workflows/workflowBudget.ts';
import { expectAbout } from '../setup/jest/expectAbout.ts';
import { engineStatus, stackTemporal } from '../setup/stack/temporal.ts';
import { action, control, type Graph } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

let home: Home;
beforeAll(async () => {
  home = await makeHome();
});

const items = (count: number) => Array.from({ length: count }, (_, index) => index);
const work = (id: string, parentId?: string) =>
  action(id, 'testing.succeed', { output: id }, parentId === undefined ? {} : { parentId });

const WIDE: Record<string, Graph> = {
  'a loop of few iterations': {
    nodes: [control('each', 'forEach', { items: items(100), concurrency: 100 }), work('work', 'each')],
  },
  'a loop of many iterations': {
    nodes: [control('each', 'forEach', { items: items(150), concurrency: 100 }), work('work', 'each')],
  },
  'loops in loops': {
    nodes: [
      control('outer', 'forEach', { items: items(9), concurrency: 9 }),
      control('inner', 'forEach', { items: items(9), concurrency: 9 }, { parentId: 'outer' }),
      work('work', 'inner'),
    ],
  },
  branches: { nodes: items(60).map((index) => work(`n${index}`)) },
};

interface WorkflowHistory {
  mostAtOnce: number;
  children: string[];
}

/** Returns the maximum of parallel remote actions of a workflow, and its children. */
async function historyOf(workflowId: string): Promise<WorkflowHistory> {
  const { events } = await (await stackTemporal()).workflow.getHandle(workflowId).fetchHistory();
  let atOnce = 0;
  let mostAtOnce = 0;
  const children: string[] = [];
  for (const event of events ?? []) {
    const child = event.startChildWorkflowExecutionInitiatedEventAttributes;
    if (child) children.push(String(child.workflowId));
    if (child || event.activityTaskScheduledEventAttributes) atOnce += 1;
    if (event.childWorkflowExecutionCompletedEventAttributes || event.activityTaskCompletedEventAttributes) atOnce -= 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
  }
  return { mostAtOnce, children };
}

test.each(Object.entries(WIDE))('%s: no workflow runs more than 40 actions at once', async (_, graph) => {
  const { id, status } = await home.run(graph);
  expect(status).toBe('COMPLETED');
  expect(await engineStatus(id)).toBe('COMPLETED');
  const left = [id];
  let most = 0;
  for (let workflowId = left.pop(); workflowId !== undefined; workflowId = left.pop()) {
    const { mostAtOnce, children } = await historyOf(workflowId);
    expectAbout(mostAtOnce, workflowId).toBeLessThanOrEqual(AT_ONCE);
    most = Math.max(most, mostAtOnce);
    left.push(...children);
  }
  expect(most).toBeGreaterThan(1);
});
