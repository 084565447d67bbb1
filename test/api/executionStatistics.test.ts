import { expect, test } from '@jest/globals';
import { expectAbout } from '../setup/jest/expectAbout.ts';
import { action } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

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
  // What has not ended is counted, and has no length.
  await stackDatabase().$executeRaw`UPDATE executions SET stopped_at = NULL WHERE id = ${second}::uuid`;
  const open = await statistics(home, `${range},workflowId:${good}&groupBy=workflow`);
  expect(open.groups).toMatchObject([{ counts: { COMPLETED: 2 }, p50Ms: 100, p95Ms: 100 }]);
  await stackDatabase().$executeRaw`UPDATE executions SET stopped_at = NULL WHERE id = ${first}::uuid`;
  const endless = await statistics(home, `${range},workflowId:${good}&groupBy=workflow`);
  expect(endless.groups).toMatchObject([{ counts: { COMPLETED: 2 }, p50Ms: null, p95Ms: null }]);

  // The last 24 hours: the only one that started now.
  const now = await statistics(home, 'groupBy=workflow');
  expect(now.buckets).toHaveLength(25);
  expect(now.groups).toMatchObject([{ key: bad, counts: { FAILED: 1 } }]);
  expect((await statistics(home, 'bucket=day')).buckets).toHaveLength(31);
  expect(fifth).toBeDefined();

  const stranger = await makeHome();
  expect((await statistics(stranger, `${range}&groupBy=workflow`)).groups).toEqual([]);
  const wrong = ['bucket=week', 'groupBy=colour', 'filterBy=colour:red', 'filterBy=startedAfter:2020-01-01T00:00:00Z'];
  for (const query of wrong) {
    const refused = await home.api('GET', `${path}?${query}`);
    expectAbout(refused, query).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  }
});
