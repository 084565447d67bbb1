// test: long
import { expect, test } from '@jest/globals';
import { refusing } from '../setup/database/refusing.ts';
import { poll } from '../setup/jest/poll.ts';
import { failingService } from '../setup/providers/failingService.ts';
import { inject } from '../setup/stack/inject.ts';
import { action, control, edges, type Graph } from '../setup/workspace/graph.ts';
import { type Home, makeHome, stepOf } from '../setup/workspace/home.ts';

const MINUTES = 240_000;
/** More than a retry reuses at once (RETRY_BATCH_ITERATIONS of the stack), and the index at which reuse is blocked. */
const [ITEMS, FAILING, HELD] = [30, 25, 15];

const post = (id: string, url: string, parentId: string) =>
  action(id, 'http.request', { method: 'POST', url }, { parentId });
const list = (count: number) => Array.from({ length: count }, (_, index) => index);

function orders(url: string): Graph {
  return {
    nodes: [
      control('each', 'forEach', { items: list(ITEMS) }),
      control('parts', 'forEach', { items: list(2) }, { parentId: 'each' }),
      post('charge', `${url}/charge{{ loops.each.index }}-{{ loops.parts.index }}`, 'parts'),
      post('mail', `${url}/mail{{ loop.index }}`, 'each'),
    ],
    edges: edges('parts>mail'),
  };
}

const CHARGES = list(ITEMS).flatMap((index) => [`charge${index}-0`, `charge${index}-1`]);
const MAILS = list(ITEMS).map((index) => `mail${index}`);

/** Blocks reuse for executions of this workspace from one iteration on, until released. */
async function held(workspaceId: string) {
  const { client, allow, release } = await refusing(inject('stack').databaseUrl, {
    before: 'INSERT ON execution_iterations',
    when: `NEW.is_kept AND NEW.index >= ${HELD} AND NEW.loop_key = 'each' AND NEW.workspace_id = '${workspaceId}'`,
  });
  const count = async (sql: string) => (await client.query<{ n: number }>(sql, [workspaceId])).rows[0]?.n;
  return {
    free: (...ids: string[]) => allow(`NEW.execution_id = ANY ('{${ids}}'::uuid[])`),
    release,
    takenBy: async (id: string) => {
      const kept = `SELECT count(*)::int AS n FROM execution_iterations WHERE is_kept AND loop_key = 'each'`;
      return count(`${kept} AND workspace_id = $1 AND execution_id = '${id}'`);
    },
    left: () => count('SELECT count(*)::int AS n FROM loops_to_take_over WHERE workspace_id = $1'),
  };
}

async function retryOf(home: Home, executionId: string): Promise<string> {
  const { status, body } = await home.api('POST', `/api/executions/${executionId}/retry`, { body: { again: true } });
  expect([status, body]).toEqual([201, { executionId: expect.any(String) }]);
  return body.executionId;
}

async function cancelled(home: Home, executionId: string) {
  await home.api('POST', `/api/executions/${executionId}/cancel`);
  const ended = await home.ended(executionId);
  expect(ended.status).toBe('CANCELLED');
  return ended;
}

async function childOf(home: Home, executionId: string): Promise<string> {
  return (await home.read(executionId, 'childExecutions')).childExecutions[0].id;
}

/** Expects one call each, except for the failed mail, which was repeated with the same key. */
function expectNothingTwice(server: Awaited<ReturnType<typeof failingService>>): void {
  expect([...CHARGES, ...MAILS].filter((what) => server.count(what) !== 1)).toEqual([`mail${FAILING}`]);
  expect([server.count(`mail${FAILING}`), server.keysOf(`mail${FAILING}`).length]).toEqual([2, 1]);
}

const ALL_THERE = { total: ITEMS, completed: ITEMS, failed: 0, reused: FAILING };

test(
  'a retry of a retry that was cancelled amid its take-over, twice, charges nobody twice and loses nothing',
  async () => {
    const home = await makeHome();
    const server = await failingService();
    server.fails.add(`mail${FAILING}`);
    const first = await home.run(orders(server.url));
    expect(first.status).toBe('FAILED');
    server.fails.clear();
    const take = await held(home.workspaceId);
    let last = first.id;
    const ended: string[] = [];
    for (const _ of [1, 2]) {
      last = await retryOf(home, last);
      await poll(() => take.takenBy(last), { timeout: 60_000 }).toBe(HELD);
      await cancelled(home, last);
      ended.push(last);
      await take.free(...ended);
    }
    expect(await take.takenBy(last)).toBe(HELD);
    await take.release();
    const third = await home.ended(await retryOf(home, last));
    expect([third.status, stepOf(third, 'each').iterations]).toEqual(['COMPLETED', ALL_THERE]);
    expectNothingTwice(server);
    for (const id of ended) {
      expect(await take.takenBy(id)).toBe(FAILING);
      const { status, executionPath } = await home.read(id);
      const open = executionPath.filter((step: { status: string }) => !/COMPLETED|CANCELLED/.test(step.status));
      expect([status, open]).toEqual(['CANCELLED', []]);
    }
    expect(await take.left()).toBe(0);
  },
  MINUTES,
);

test(
  'so it is where the loop is in another workflow, which was cancelled with the one that had started it',
  async () => {
    const home = await makeHome();
    const server = await failingService();
    server.fails.add(`mail${FAILING}`);
    const workflowId = await home.deploy(orders(server.url));
    const first = await home.run({ nodes: [control('call', 'runWorkflow', { workflowId })] });
    expect(first.status).toBe('FAILED');
    server.fails.clear();
    const take = await held(home.workspaceId);
    const again = await retryOf(home, first.id);
    await poll(async () => (await home.read(again, 'childExecutions')).childExecutions.length).toBe(1);
    const child = await childOf(home, again);
    await poll(() => take.takenBy(child), { timeout: 60_000 }).toBe(HELD);
    await cancelled(home, again);
    expect((await home.read(child)).status).toBe('CANCELLED');
    await take.release();
    const last = await home.ended(await retryOf(home, again));
    const there = await home.read(await childOf(home, last.id), 'retryOf');
    expect([last.status, there.retryOf.id, stepOf(there, 'each').iterations]).toEqual(['COMPLETED', child, ALL_THERE]);
    expectNothingTwice(server);
    expect(await take.left()).toBe(0);
  },
  MINUTES,
);

test(
  'a retry whose step could not start its workflow is skipped: the next one continues with the earlier work',
  async () => {
    const home = await makeHome();
    const server = await failingService();
    server.fails.add(`mail${FAILING}`);
    const workflowId = await home.deploy(orders(server.url));
    const first = await home.run({ nodes: [control('call', 'runWorkflow', { workflowId })] });
    expect(first.status).toBe('FAILED');
    server.fails.clear();
    const setActive = (isActive: boolean) => home.api('PATCH', `/api/workflows/${workflowId}`, { body: { isActive } });
    expect((await setActive(false)).status).toBe(200);
    const refused = await home.ended(await retryOf(home, first.id));
    expect([refused.status, stepOf(refused, 'call').error.code]).toEqual(['FAILED', 'WORKFLOW_NOT_EXECUTABLE']);
    expect((await setActive(true)).status).toBe(200);
    const last = await home.ended(await retryOf(home, refused.id));
    expect(last.status).toBe('COMPLETED');
    expectNothingTwice(server);
  },
  MINUTES,
);

test(
  'a retry just after a termination does not replace a sub-workflow that has not ended; a later one continues it',
  async () => {
    const home = await makeHome();
    const server = await failingService();
    server.hangs = (what) => what === `mail${FAILING}`;
    const workflowId = await home.deploy(orders(server.url));
    const first = await home.execute(await home.deploy({ nodes: [control('call', 'runWorkflow', { workflowId })] }));
    await poll(() => server.count(`mail${FAILING}`), { timeout: 60_000 }).toBe(1);
    const child = await childOf(home, first);
    const { release } = await refusing(inject('stack').databaseUrl, {
      before: 'UPDATE ON executions',
      when: `NEW.id = '${child}' AND NEW.stopped_at IS NOT NULL`,
    });
    await home.api('POST', `/api/executions/${first}/terminate`);
    expect((await home.ended(first)).status).toBe('CANCELLED');
    server.hangs = () => false;
    const early = await home.ended(await retryOf(home, first));
    expect([early.status, stepOf(early, 'call').error.code]).toEqual(['FAILED', 'CHILD_OPEN']);
    await release();
    expect((await home.ended(child)).status).toBe('CANCELLED');
    const last = await home.ended(await retryOf(home, early.id));
    expect(last.status).toBe('COMPLETED');
    expectNothingTwice(server);
  },
  MINUTES,
);
