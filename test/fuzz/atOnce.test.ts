import { randomInt } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { poll } from '../setup/jest/poll.ts';
import { makeWorkspace, stackDatabase } from '../setup/workspace/workspace.ts';
import { type Dice, letGoOn, makeWorld, OPERATIONS } from './operationsAtOnce.ts';

// `npm run test:fuzz`: random parallel operations on the same few queues, workflows and entities. Only on a Postgres
// server (DATABASE_URL) do statements of different sessions meet.

const CALLS = Number(process.env.AT_ONCE_CALLS ?? 10_000);
const CALLERS = 16;
const SEED = Number(process.env.AT_ONCE_SEED ?? randomInt(2 ** 31));
/** Per call; then the numbers repeat. */
const NUMBERS = 200;
const TIMEOUT_MS = 180_000 + CALLS * 50;

function diceOf(call: number): Dice {
  const numbers = fc.sample(fc.noBias(fc.nat()), { seed: SEED + call, numRuns: NUMBERS });
  let at = 0;
  return (below) => (numbers[at++ % NUMBERS] ?? 0) % below;
}

/** Rows that contradict a rule once all work has ended. `$1` is the workspace. */
const NEVER: Record<string, string> = {
  'an item is ready, waits, or is held by nobody': `
    SELECT q.name, i.status, i.due_at, i.execution_id FROM queue_items i JOIN queues q ON q.id = i.queue_id
    WHERE i.workspace_id = $1 AND i.status IN ('PENDING', 'RETRYING', 'PROCESSING')`,
  'an execution is open': 'SELECT id, status, held FROM executions WHERE workspace_id = $1 AND stopped_at IS NULL',
  'an ended execution is held': 'SELECT id FROM executions WHERE workspace_id = $1 AND held AND stopped_at IS NOT NULL',
  'an item was completed twice': `
    SELECT item_id FROM queue_item_moves WHERE workspace_id = $1 AND "to" = 'COMPLETED'
    GROUP BY item_id HAVING count(*) > 1`,
  'the history of an item ends in another status': `
    SELECT i.id, i.status, m."to" FROM queue_items i CROSS JOIN LATERAL (
      SELECT "to" FROM queue_item_moves WHERE item_id = i.id ORDER BY ordinal DESC LIMIT 1) m
    WHERE i.workspace_id = $1 AND m."to" <> i.status`,
  'the counts of a queue are not those of its items': `
    SELECT * FROM (
      SELECT queue_id, status, sum(items)::int AS items, sum(retried)::int AS retried FROM queue_item_counts
      WHERE workspace_id = $1 GROUP BY 1, 2) counted
    FULL JOIN (
      SELECT queue_id, status, count(*)::int AS items, count(*) FILTER (WHERE retry_count > 0)::int AS retried
      FROM queue_items WHERE workspace_id = $1 GROUP BY 1, 2) there USING (queue_id, status)
    WHERE coalesce(counted.items, 0) <> coalesce(there.items, 0)
      OR coalesce(counted.retried, 0) <> coalesce(there.retried, 0)`,
  'the ends of a queue are not those of its items': `
    SELECT * FROM (
      SELECT queue_id, status, sum(items)::int AS items FROM queue_item_ends WHERE workspace_id = $1 GROUP BY 1, 2) counted
    FULL JOIN (
      SELECT queue_id, status, count(*)::int AS items FROM queue_items
      WHERE workspace_id = $1 AND status IN ('COMPLETED', 'FAILED') AND processing_completed_at IS NOT NULL
      GROUP BY 1, 2) there USING (queue_id, status)
    WHERE coalesce(counted.items, 0) <> coalesce(there.items, 0)`,
  'an item is searched by another text': `
    SELECT i.id, x.item_id FROM (SELECT * FROM queue_items WHERE workspace_id = $1) i
      FULL JOIN (SELECT * FROM queue_item_texts WHERE workspace_id = $1) x ON x.item_id = i.id
    WHERE x.text IS DISTINCT FROM queue_item_text(i.external_id, i.data, i.metadata)`,
};

test(
  'random parallel operations do not fail, all work ends, and counts and histories are right',
  async () => {
    const { url, apiKey, projectId, workspaceId } = await makeWorkspace();
    const world = await makeWorld(url, apiKey, projectId);
    const names = Object.keys(OPERATIONS);
    const seen: Record<string, number> = {};
    let next = 0;
    const caller = async () => {
      while (next < CALLS) {
        const dice = diceOf(next++);
        const name = names[dice(names.length)] ?? '';
        const answer = await OPERATIONS[name]?.(dice, world);
        const outcome = `${name} ${answer?.status ?? 'of nothing'}`;
        seen[outcome] = (seen[outcome] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    console.log(`seed ${SEED}: ${JSON.stringify(seen)}`);
    expect(Object.keys(seen).filter((outcome) => / 5\d\d$/.test(outcome))).toEqual([]);
    // Each operation succeeded at least once.
    expect(names.filter((name) => !Object.keys(seen).some((outcome) => outcome.startsWith(`${name} 2`)))).toEqual([]);

    await letGoOn(world);
    const { pool } = stackDatabase();
    for (const [what, rows] of Object.entries(NEVER)) {
      const found = async () => ({ [what]: (await pool.query(rows, [workspaceId])).rows });
      await poll(found, { timeout: 90_000 }).toEqual({ [what]: [] });
    }
  },
  TIMEOUT_MS,
);
