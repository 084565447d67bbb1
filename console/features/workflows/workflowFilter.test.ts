import { expect, test } from '@jest/globals';
import { workflowFilterOf } from './workflowFilter.ts';

test('search parameters become the filter of the list', () => {
  expect(workflowFilterOf({})).toBe('');
  expect(workflowFilterOf({ q: '  a, b ', project: 'p', state: 'active', trigger: 'poll' })).toBe(
    'name:a%2C b,projectId:p,isActive:true,paused:false,triggerType:poll',
  );
  expect(workflowFilterOf({ state: 'paused' })).toBe('paused:true');
  expect(workflowFilterOf({ state: 'elsewhere' })).toBe('');
});
