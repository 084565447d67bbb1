import { expect, test } from '@jest/globals';
import { chooseConnection, connectionRequired } from './chooseConnection.ts';

const one = { id: '1', name: 'One', isDefault: false };
const two = { id: '2', name: 'Two', isDefault: true };
const three = { id: '3', name: 'Three', isDefault: false };

test.each([
  ['none there', [], undefined, undefined],
  ['the sole one', [one], one, one],
  ['the default of several, in runs alone', [one, two, three], two, undefined],
  ['several without a default', [one, three], undefined, undefined],
])('%s', (_, usable, inRuns, inAction) => {
  expect(chooseConnection(usable, { defaultCounts: true })).toBe(inRuns);
  expect(chooseConnection(usable, { defaultCounts: false })).toBe(inAction);
});

test('the problem lists the candidates of each step, and its place', () => {
  const problem = connectionRequired([
    { path: 'steps[0].connectionId', step: 'step1', appId: 'http', appName: 'HTTP', candidates: [one, three] },
    { path: 'steps[2].connectionId', step: 'step3', appId: 'mail', appName: 'Mail', candidates: [] },
  ]);
  expect(problem).toMatchObject({
    code: 'CONNECTION_REQUIRED',
    members: {
      candidates: [
        { id: '1', name: 'One', appId: 'http', step: 'step1' },
        { id: '3', name: 'Three', appId: 'http', step: 'step1' },
      ],
    },
    errors: [
      { path: 'steps[0].connectionId', message: 'expected one of the 2 connections of HTTP' },
      { path: 'steps[2].connectionId', message: 'Mail has no connection: connect it first' },
    ],
  });
});
