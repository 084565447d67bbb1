import { expect, test } from '@jest/globals';
import { longerSpan } from '../../../ui/time/since.ts';
import { filterByOf, searchPair } from './executionFilter.ts';

test.each([
  ['#4102', 'number:4102'],
  ['17', 'number:17'],
  ['order=A-1042', 'label.order:A-1042'],
  ['order=a,b', 'label.order:a%2Cb'],
  ['HTTP_502', 'errorCode:HTTP_502'],
  ['nightly, report', 'name:nightly%2C report'],
  ['  ', undefined],
])('%j is searched as %j', (phrase, pair) => {
  expect(searchPair(phrase)).toBe(pair);
});

test('the address says the filter, and the counts leave out the status', () => {
  const now = Date.parse('2026-11-25T12:00:30Z');
  const search = {
    status: 'FAILED,TIMED_OUT',
    since: '1h',
    workflow: 'w',
    retrying: 'true',
    retried: 'false',
    held: 'true',
    waitingForApproval: 'true',
    version: '3',
    q: '#7',
  };
  const rest =
    'workflowId:w,workflowVersion:3,startedAfter:2026-11-25T11:00:00.000Z,retrying:true,retried:false,held:true,waitingForApproval:true,number:7';
  expect(filterByOf(search, now)).toBe(`status:FAILED|TIMED_OUT,${rest}`);
  expect(filterByOf(search, now, { withStatus: false })).toBe(rest);
  const night = { after: '2026-11-25T02:00:00.000Z', before: '2026-11-25T03:00:00.000Z', since: 'between' };
  const started = 'startedAfter:2026-11-25T01:59:59.999Z,startedBefore:2026-11-25T03:00:00.000Z';
  expect(filterByOf(night, now)).toBe(started);
  expect(filterByOf({ after: 'soon' }, now)).toBe('startedAfter:soon');
  expect(filterByOf({ task: 'agent/one' }, now)).toBe('taskId:agent/one');
  expect(filterByOf({ waitingForWorker: 'jobs,eu' }, now)).toBe('waitingForWorker:jobs%2Ceu');
  expect(filterByOf({}, now)).toBe('');
});

test('a time leads to the next longer one, the longest and any time to none', () => {
  expect(['1h', '24h', '7d', '30d', '', 'soon'].map(longerSpan)).toEqual([
    ...['24h', '7d', '30d'],
    ...[undefined, undefined, undefined],
  ]);
});
