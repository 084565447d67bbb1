import { expect, test } from '@jest/globals';
import { type FailedExecution, failureReport } from './failureReport.ts';

const failed: FailedExecution = {
  id: '0197a000-0000-7000-8000-000000000001',
  number: 7,
  workflowId: '0197a000-0000-7000-8000-000000000002',
  workflowName: 'Orders',
  status: 'FAILED',
  statusMessage: 'Charge: the card pin-482913 was refused',
  startedAt: '2026-11-21T10:15:30.000Z',
  stoppedAt: '2026-11-21T10:15:31.500Z',
  requestId: null,
  retryOf: null,
  parentExecutionId: null,
  error: { nodeId: 'charge', label: 'Charge', code: 'DECLINED', message: 'the card pin-482913 was refused' },
  trigger: { order: 5, pin: 'pin-482913' },
  triggerType: 'manual',
  secrets: ['pin-482913'],
};

test('the report has the execution, the step that ended it and the trigger; secrets are masked everywhere', () => {
  const { id, number, workflowId, workflowName, status, startedAt, stoppedAt } = failed;
  expect(failureReport(failed)).toEqual({
    execution: {
      ...{ id, number, workflowId, workflowName, status, startedAt, stoppedAt },
      statusMessage: 'Charge: the card *** was refused',
      url: `/api/executions/${failed.id}`,
      durationMs: 1_500,
      error: { nodeId: 'charge', label: 'Charge', code: 'DECLINED', message: 'the card *** was refused' },
    },
    trigger: { order: 5, pin: '***' },
  });
});

test('the report contains every present value, and leaves out absent ones', () => {
  const report = failureReport({
    ...failed,
    status: 'TIMED_OUT',
    error: null,
    requestId: 'q',
    retryOf: 'r',
    parentExecutionId: 'p',
  });
  expect(report.execution).not.toHaveProperty('error');
  expect(report.execution).toMatchObject({ status: 'TIMED_OUT', requestId: 'q', retryOf: 'r', parentExecutionId: 'p' });
});

test('the credential headers of a webhook are masked, in webhooks alone', () => {
  const trigger = { headers: { authorization: 'Bearer x', Cookie: 'a=b', accept: '*/*' }, body: { n: 1 } };
  expect(failureReport({ ...failed, trigger, triggerType: 'webhook' }).trigger).toEqual({
    headers: { authorization: '***', Cookie: '***', accept: '*/*' },
    body: { n: 1 },
  });
  expect(failureReport({ ...failed, trigger }).trigger).toEqual(trigger);
  expect(failureReport({ ...failed, trigger: { headers: 5 }, triggerType: 'webhook' }).trigger).toEqual({ headers: 5 });
});
