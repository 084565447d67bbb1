import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Problem } from '../../domain/problem.ts';
import { CONNECTION } from './connection/resource.ts';
import { EXECUTION } from './execution/resource.ts';
import { checkListQuery, checkReadQuery } from './resourceQuery.ts';
import { WORKFLOW } from './workflow/resource.ts';

const ID = '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f';
const viewer = { workspaceId: ID };

function refusal(run: () => unknown): Problem {
  try {
    run();
  } catch (error) {
    if (error instanceof Problem) return error;
  }
  throw new Error('expected a Problem');
}

test('fields are the default ones and those asked for, each once', () => {
  expect(checkListQuery(WORKFLOW, viewer, { expansion: 'slug, name,slug' }).fields).toEqual(['id', 'name', 'slug']);
  expect(checkReadQuery(EXECUTION, { expansion: 'executionPath' }).fields).toEqual([
    'id',
    'startedAt',
    'executionPath',
  ]);
  expect(checkReadQuery(EXECUTION, {}).fields).toEqual(['id', 'startedAt']);
});

test('one refusal names all unknown names, and the known ones', () => {
  const query = { expansion: 'executionPath', filterBy: 'colour:red', includeType: 'some' };
  const problem = refusal(() => checkListQuery(EXECUTION, viewer, query));
  expect(problem.code).toBe('VALIDATION_FAILED');
  expect(problem.errors?.map(({ path }) => path)).toEqual(['expansion', 'filterBy', 'includeType']);
  const [expansion, filterBy, includeType] = problem.errors?.map(({ message }) => message) ?? [];
  expect(expansion).toContain('startedAt, stoppedAt');
  expect(filterBy).toBe(
    '"colour" is not one of projectId, workflowId, workflowVersion, number, source, draft, startedBy, label.<key>, status, held, retrying, errorCode, failedNodeId, startedAfter, startedBefore, name, parentExecutionId, retried, acknowledged, retryOfId, taskId, runId, waitingForConnection, waitingForApproval, waitingForWorker, failureOfId',
  );
  expect(includeType).toBe('"some" is not one of all, internal');
});

test.each(['toString:1', '__proto__:1', 'constructor:1'])('%s is no filter', (filterBy) => {
  expect(refusal(() => checkListQuery(WORKFLOW, viewer, { filterBy })).errors).toHaveLength(1);
});

test.each([
  ['projectId:17', 'projectId: expected an id'],
  ['projectId', 'projectId: expected an id'],
  ['agentCanTrigger:yes', 'agentCanTrigger: expected true or false'],
  [`projectId:${ID},projectId:${ID}`, 'projectId is given twice'],
])('%s: %s', (filterBy, message) => {
  expect(refusal(() => checkListQuery(WORKFLOW, viewer, { filterBy })).errors?.[0]?.message).toBe(message);
});

test('values of filters hold colons, and commas as %2C', () => {
  const value = fc.string({ minLength: 1 }).filter((text) => text.trim() === text && !/%2c/i.test(text));
  fc.assert(
    fc.property(value, (text) => {
      const { conditions } = checkListQuery(CONNECTION, viewer, {
        filterBy: `workflowAppId:${text.replaceAll(',', '%2C')}`,
      });
      expect(conditions.map((condition) => condition.values)).toEqual([[text]]);
    }),
  );
});

test.each([
  ['status:FAILED', "t.status IN ('FAILED')", []],
  ['status:FAILED|TIMED_OUT', "t.status IN ('FAILED','TIMED_OUT')", []],
  ['startedAfter:2026-11-21T10:15:30%2B', undefined, []],
  ['startedAfter:2026-11-21T10:15:30Z', 't.started_at > ?::timestamptz', ['2026-11-21T10:15:30.000Z']],
  ['startedBefore:2026-11-21T10:15:30.5+02:00', 't.started_at < ?::timestamptz', ['2026-11-21T08:15:30.500Z']],
  ['startedBefore:2026-11-21', 't.started_at < ?::timestamptz', ['2026-11-21T00:00:00.000Z']],
  ['startedBefore:2026-02-31T10:15Z', undefined, []],
  ['startedBefore:0000-01-01', undefined, []],
  ['startedBefore:2026-13-01', undefined, []],
  ['startedAfter:10:15', undefined, []],
  ['status:FAILED|', undefined, []],
  ["status:FAILED' OR true", undefined, []],
  ['name:50%_\\', 't.name ILIKE ?', ['%50\\%\\_\\\\%']],
  ['name:', undefined, []],
])('%s', (filterBy, sql, values) => {
  if (sql === undefined) expect(refusal(() => checkListQuery(EXECUTION, viewer, { filterBy })).errors).toHaveLength(1);
  else {
    const [condition] = checkListQuery(EXECUTION, viewer, { filterBy }).conditions;
    const mark = '/* planned by its values */ ';
    expect([condition?.sql, condition?.values]).toEqual([`${mark}${sql}`, values]);
  }
});
