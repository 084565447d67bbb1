// test: long
import { expect, test } from '@jest/globals';
import { Client } from '@temporalio/client';
import { ownHome } from '../setup/stack/ownHome.ts';
import { connectionTo } from '../setup/stack/temporal.ts';
import { action, chain, control, manual } from '../setup/workspace/graph.ts';
import { stepOf } from '../setup/workspace/home.ts';

// So short that a call runs about one iteration.
const { stack, home, database } = await ownHome({ environment: { REGION_BUDGET_MS: '1' } });

/** Exceeds the calls of the execution's history, and then of the loop's own first history. */
const ITERATIONS = 600;
/** The budget of repetitions (temporal-workflows/workflowBudget.ts) plus the loop's other events. */
const MAX_EVENTS = 2_000 + 60;

async function countingWrites() {
  await database.$executeRawUnsafe('CREATE TABLE written_items (execution_id uuid, node_id text)');
  await database.$executeRawUnsafe(`
    CREATE FUNCTION note_items() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO written_items VALUES (NEW.execution_id, NEW.node_id); RETURN NEW; END $$`);
  await database.$executeRawUnsafe(`
    CREATE TRIGGER note_items BEFORE INSERT ON execution_steps FOR EACH ROW
    WHEN (NEW.input IS NOT NULL) EXECUTE FUNCTION note_items()`);
  return async (executionId: string, nodeId: string) => {
    const [row] = await database.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM written_items
      WHERE execution_id = ${executionId}::uuid AND node_id = ${nodeId}`;
    return row?.count;
  };
}

test('a loop in regions continues however short their time is, writes its items once, and bounds the history', async () => {
  const writesOf = await countingWrites();
  const list = Array.from({ length: 20_000 }, (_, index) => index);
  const items = Array.from({ length: ITERATIONS }, (_, index) => index);
  const workflowId = await home.deploy({
    trigger: manual(),
    nodes: [
      control('loop', 'forEach', { items: '{{ trigger.items }}' }),
      // Longer than a region's time, even on a fast machine.
      action(
        'work',
        'core.transform',
        { value: '{{ loop.item + 0 * trigger.list.map(x, x * 2).map(x, x + 1).map(x, x - 1).map(x, x + 2).sum() }}' },
        { parentId: 'loop' },
      ),
      action('after', 'core.transform', { value: '{{ size(steps.loop.output) }}' }),
    ],
    edges: chain('loop', 'after'),
  });
  const executionId = await home.execute(workflowId, { list, items });
  const execution = await home.ended(executionId);
  expect(execution).toMatchObject({ status: 'COMPLETED', output: ITERATIONS });
  expect(stepOf(execution, 'loop')).toMatchObject({
    output: items,
    iterations: { total: ITERATIONS, completed: ITERATIONS, failed: 0 },
  });
  expect(await writesOf(executionId, 'loop')).toBe(1);

  const connection = await connectionTo(stack.temporalAddress);
  const { workflow } = new Client({ connection });
  const of = (engineId: string) => workflow.getHandle(engineId).describe();
  expect((await of(executionId)).historyLength).toBeLessThan(MAX_EVENTS);
  // Further runs continue in a child workflow, which begins new histories.
  const own = await of(`${executionId}/loop`);
  expect(own.status.name).toBe('COMPLETED');
  expect(own.historyLength).toBeLessThan(300 * 7 + 10);
  expect(own.raw.workflowExecutionInfo?.firstRunId).not.toBe(own.runId);
  await connection.close();
}, 240_000);
