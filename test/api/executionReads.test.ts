import { describe, expect, test } from '@jest/globals';
import { EXECUTION } from '../../prisma/store/execution/resource.ts';
import { expansionsOf } from '../../prisma/store/resourceQuery.ts';
import { type Api, api } from '../setup/api/client.ts';
import { expectAbout } from '../setup/jest/expectAbout.ts';
import { action } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';
import { makeWorkspace, stackDatabase } from '../setup/workspace/workspace.ts';

describe('reads', () => {
  /** Polls without sleeping until the execution has the status. */
  async function untilStatus(call: Api, executionId: string, status: string): Promise<void> {
    const deadline = Date.now() + 20_000;
    for (;;) {
      const { body } = await call('GET', `/api/executions/${executionId}?expansion=status`);
      if (body.status === status) return;
      if (Date.now() > deadline) throw new Error(`still ${body.status}, expected ${status}`);
    }
  }

  test('an execution that waits for input shows every field that it has', async () => {
    const { url, apiKey, projectId, workspaceId } = await makeWorkspace();
    const call = api(url, apiKey);
    const fields = [{ key: 'approved', label: 'Approved', type: 'boolean', required: true }];
    const workflow = await call('POST', `/api/projects/${projectId}/workflows/upsert`, {
      body: {
        slug: 'ask',
        nodes: [
          {
            id: 'total',
            type: 'action',
            appId: 'core',
            actionId: 'set',
            inputs: { values: { sum: '{{ trigger.n * 2 }}' } },
          },
          { id: 'ask', type: 'input', name: 'Approve', inputs: { fields, instructions: 'Look first' } },
        ],
        edges: [
          { id: 'e1', source: 'trigger', target: 'total' },
          { id: 'e2', source: 'total', target: 'ask' },
        ],
      },
    });
    const workflowId = workflow.body.id;
    const started = await call('POST', `/api/executions/workflows/${workflowId}/execute`, {
      body: { inputData: { n: 21 } },
    });
    const { executionId } = started.body;
    await untilStatus(call, executionId, 'NEEDS_INPUT');

    const all = expansionsOf(EXECUTION, 'single');
    const { body } = await call('GET', `/api/executions/${executionId}?expansion=${all}`);
    expect(Object.keys(body).sort()).toEqual([...all].sort());
    expect(body).toMatchObject({
      id: executionId,
      status: 'NEEDS_INPUT',
      source: 'WORKFLOW',
      executionNumber: 1,
      workflow: { id: workflowId },
      project: { id: projectId },
      workspace: { id: workspaceId },
      stoppedAt: null,
      continueExecutionAt: null,
      executionPath: [
        {
          nodeId: 'total',
          status: 'COMPLETED',
          attempt: 1,
          appId: 'core',
          actionId: 'set',
          output: { sum: 42 },
          iteration: [],
        },
        { nodeId: 'ask', label: 'Approve', status: 'NEEDS_INPUT', stoppedAt: null, appId: null },
      ],
      pendingInput: [{ nodeId: 'ask', label: 'Approve', fields, instructions: 'Look first', iteration: [] }],
    });
    expect(body.executionPath[0].icon).toContain('<svg');
    expect(body.pendingInput[0].stepId).toBe(body.executionPath[1].id);

    const list = expansionsOf(EXECUTION, 'list');
    const listed = await call(
      'GET',
      `/api/executions?filterBy=workflowId:${workflowId},source:WORKFLOW&expansion=${list}`,
    );
    expect(listed.body).toHaveLength(1);
    expect(Object.keys(listed.body[0]).sort()).toEqual([...list].sort());
    expect((await call('GET', '/api/executions')).body).toEqual([{ id: executionId }]);
    expect((await call('GET', '/api/executions?filterBy=source:SDK')).body).toEqual([]);
    expect((await call('GET', `/api/executions?expansion=executionPath`)).status).toBe(400);

    await api(url)('POST', `/api/webhooks/executions/${executionId}/nodes/ask/input`, { body: { approved: true } });
    await untilStatus(call, executionId, 'COMPLETED');
    const ended = await call('GET', `/api/executions/${executionId}?expansion=executionPath,pendingInput,stoppedAt`);
    expect(ended.body.pendingInput).toEqual([]);
    expect(ended.body.executionPath[1]).toMatchObject({ status: 'COMPLETED', output: { approved: true } });
  });

  test('an ad-hoc run has no workflow and no project, and its own nodes', async () => {
    const { url, apiKey } = await makeWorkspace();
    const call = api(url, apiKey);
    const run = await call('POST', '/api/actions/run', {
      body: { appId: 'core', actionId: 'set', inputs: { values: { a: 1 } } },
    });
    expect(run.body).toMatchObject({ status: 'COMPLETED', output: { a: 1 } });
    const path = `/api/executions/${run.body.executionId}?expansion=${expansionsOf(EXECUTION, 'single')}`;
    const { body } = await call('GET', path);
    expect(body).toMatchObject({ source: 'SDK', workflow: null, project: null, executionPath: run.body.executionPath });
    expect(body.nodes).toHaveLength(1);
  });
});

describe('filters', () => {
  test('executions are found by status, time, name, parent and retry, and counted the same way', async () => {
    const home = await makeHome();
    const good = await home.deploy({ name: 'Invoices 100%', nodes: [action('a', 'core.set', { values: {} })] });
    const bad = await home.deploy({ name: 'Orders', nodes: [action('a', 'testing.fail', {})] });
    const executions = [await home.execute(good), await home.execute(bad), await home.execute(bad)];
    const [first, second, third] = executions as [string, string, string];
    for (const id of executions) await home.ended(id);
    const database = stackDatabase();
    await database.$executeRaw`
    UPDATE executions SET started_at = '2026-01-01T10:00:00Z', parent_execution_id = ${second}::uuid
    WHERE id = ${first}::uuid`;
    await database.$executeRaw`
    UPDATE executions SET status = 'TIMED_OUT', retry_of_id = ${second}::uuid WHERE id = ${third}::uuid`;

    const found = async (filterBy: string) => {
      const query = encodeURIComponent(filterBy);
      const listed = await home.api('GET', `/api/executions?filterBy=${query}`);
      const counted = await home.api('GET', `/api/executions/counts?filterBy=${query}`);
      expect([listed.status, counted.status]).toEqual([200, 200]);
      const sum = Object.values(counted.body as Record<string, number>).reduce((all, each) => all + each);
      expect(sum).toBe(listed.body.length);
      return listed.body.map(({ id }: { id: string }) => id).sort();
    };
    expect(await found('')).toEqual([...executions].sort());
    expect(await found('status:COMPLETED')).toEqual([first]);
    expect(await found('status:FAILED')).toEqual([second]);
    expect(await found('status:FAILED|TIMED_OUT')).toEqual([second, third].sort());
    expect(await found('status:RUNNING')).toEqual([]);
    expect(await found('startedBefore:2026-01-01T10:00:00.001Z')).toEqual([first]);
    expect(await found('startedBefore:2026-01-01T10:00:00Z')).toEqual([]);
    expect(await found('startedAfter:2026-01-01T10:00:00Z')).toEqual([second, third].sort());
    expect(await found('startedAfter:2026-01-01T09:00:00Z,startedBefore:2026-01-01T13:00:00+02:00')).toEqual([first]);
    expect(await found('name:inVOICE')).toEqual([first]);
    expect(await found('name:100%')).toEqual([first]);
    expect(await found('name:1%')).toEqual([]);
    expect(await found('name:r')).toEqual([second, third].sort());
    expect(await found(`parentExecutionId:${second}`)).toEqual([first]);
    expect(await found(`retryOfId:${second},status:TIMED_OUT`)).toEqual([third]);

    const { body } = await home.api('GET', '/api/executions/counts');
    expect(body).toEqual({
      PENDING: 0,
      RUNNING: 0,
      WAITING: 0,
      NEEDS_INPUT: 0,
      COMPLETED: 1,
      FAILED: 1,
      CANCELLED: 0,
      TIMED_OUT: 1,
    });
    const stranger = await makeHome();
    const theirs = await stranger.api('GET', '/api/executions/counts');
    expect(Object.values(theirs.body)).toEqual(Array(8).fill(0));

    for (const wrong of ['status:DONE', 'startedAfter:yesterday', 'name:', 'retryOfId:7', 'colour:red']) {
      for (const path of ['/api/executions', '/api/executions/counts']) {
        const refused = await home.api('GET', `${path}?filterBy=${encodeURIComponent(wrong)}`);
        expectAbout(refused, wrong).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
      }
    }
  });
});

describe('statistics', () => {
  const path = '/api/executions/statistics';

  async function statistics(home: Home, query: string) {
    const { status, body } = await home.api('GET', `${path}?${query}`);
    expectAbout(status, query).toBe(200);
    return body;
  }

  test('executions are counted by hours and days, and by workflow, code and node', async () => {
    const home = await makeHome();
    const good = await home.deploy({ name: 'Good', nodes: [action('a', 'core.set', { values: {} })] });
    const bad = await home.deploy({ name: 'Bad', nodes: [action('b', 'testing.fail', {}, { name: 'Breaks' })] });
    const ids: string[] = [];
    for (const workflowId of [good, good, bad, bad, bad]) ids.push(await home.execute(workflowId));
    for (const id of ids) await home.ended(id);
    const [first, second, third, fourth, fifth] = ids as [string, string, string, string, string];
    const at = (id: string, start: string, tookMs: number) => stackDatabase().$executeRaw`
    UPDATE executions SET started_at = ${start}::timestamptz,
      stopped_at = ${start}::timestamptz + make_interval(secs => ${tookMs / 1_000}) WHERE id = ${id}::uuid`;
    await at(first, '2026-01-01T10:00:00Z', 100);
    await at(second, '2026-01-01T10:59:59.999Z', 300);
    await at(third, '2026-01-01T11:00:00Z', 1_000);
    await at(fourth, '2026-01-01T13:30:00Z', 2_000);

    const range = 'filterBy=startedAfter:2026-01-01T09:59:59.999Z,startedBefore:2026-01-01T13:59:00Z';
    const hours = await statistics(home, `${range}&groupBy=errorCode`);
    const { body: failure } = await home.api('GET', `/api/executions/${third}?expansion=errorCode`);
    const none = {
      PENDING: 0,
      RUNNING: 0,
      WAITING: 0,
      NEEDS_INPUT: 0,
      COMPLETED: 0,
      FAILED: 0,
      CANCELLED: 0,
      TIMED_OUT: 0,
    };
    expect(hours).toEqual({
      buckets: [
        { start: '2026-01-01T09:00:00.000Z', counts: none, p50Ms: null, p95Ms: null },
        { start: '2026-01-01T10:00:00.000Z', counts: { ...none, COMPLETED: 2 }, p50Ms: 200, p95Ms: 290 },
        { start: '2026-01-01T11:00:00.000Z', counts: { ...none, FAILED: 1 }, p50Ms: 1_000, p95Ms: 1_000 },
        { start: '2026-01-01T12:00:00.000Z', counts: none, p50Ms: null, p95Ms: null },
        { start: '2026-01-01T13:00:00.000Z', counts: { ...none, FAILED: 1 }, p50Ms: 2_000, p95Ms: 2_000 },
      ],
      groups: [
        {
          ...{ key: failure.errorCode, name: failure.errorCode },
          ...{ counts: { ...none, FAILED: 2 }, p50Ms: 1_500, p95Ms: 1_950, lastAt: '2026-01-01T13:30:00.000Z' },
        },
      ],
      bounded: false,
    });
    const days = await statistics(home, `${range}&bucket=day&groupBy=workflow`);
    expect(days.buckets).toMatchObject([{ start: '2026-01-01T00:00:00.000Z', counts: { COMPLETED: 2, FAILED: 2 } }]);
    expect(days.groups).toMatchObject([
      { key: bad, name: 'Bad', counts: { FAILED: 2 }, p50Ms: 1_500, p95Ms: 1_950, lastAt: '2026-01-01T13:30:00.000Z' },
      { key: good, name: 'Good', counts: { COMPLETED: 2 }, p50Ms: 200, p95Ms: 290, lastAt: '2026-01-01T10:59:59.999Z' },
    ]);
    const nodes = await statistics(home, `${range},workflowId:${bad}&groupBy=node`);
    expect(nodes.groups).toMatchObject([{ key: 'b', name: 'Breaks', counts: { FAILED: 2 } }]);
    // Open executions are counted, but have no duration.
    await stackDatabase().$executeRaw`UPDATE executions SET stopped_at = NULL WHERE id = ${second}::uuid`;
    const open = await statistics(home, `${range},workflowId:${good}&groupBy=workflow`);
    expect(open.groups).toMatchObject([{ counts: { COMPLETED: 2 }, p50Ms: 100, p95Ms: 100 }]);
    await stackDatabase().$executeRaw`UPDATE executions SET stopped_at = NULL WHERE id = ${first}::uuid`;
    const endless = await statistics(home, `${range},workflowId:${good}&groupBy=workflow`);
    expect(endless.groups).toMatchObject([{ counts: { COMPLETED: 2 }, p50Ms: null, p95Ms: null }]);

    // The default range is the last 24 hours, which contains only the execution that started now.
    const now = await statistics(home, 'groupBy=workflow');
    expect(now.buckets).toHaveLength(25);
    expect(now.groups).toMatchObject([{ key: bad, counts: { FAILED: 1 } }]);
    expect((await statistics(home, 'bucket=day')).buckets).toHaveLength(31);
    expect(fifth).toBeDefined();

    const stranger = await makeHome();
    expect((await statistics(stranger, `${range}&groupBy=workflow`)).groups).toEqual([]);
    const wrong = [
      'bucket=week',
      'groupBy=colour',
      'filterBy=colour:red',
      'filterBy=startedAfter:2020-01-01T00:00:00Z',
    ];
    for (const query of wrong) {
      const refused = await home.api('GET', `${path}?${query}`);
      expectAbout(refused, query).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    }
  });
});
