import { expect, test } from '@jest/globals';
import { expectAbout } from '../setup/jest/expectAbout.ts';
import { action } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

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
