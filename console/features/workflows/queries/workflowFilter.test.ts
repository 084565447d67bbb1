import { expect, test } from '@jest/globals';
import { workflowFilterOf } from './workflowFilter.ts';

test('the address of the list says its filter', () => {
  expect(workflowFilterOf({})).toBe('');
  expect(workflowFilterOf({ q: '  a, b ', project: 'p', state: 'active', trigger: 'poll' })).toBe(
    'name:a%2C b,projectId:p,isActive:true,paused:false,triggerType:poll',
  );
  expect(workflowFilterOf({ state: 'paused' })).toBe('paused:true');
  expect(workflowFilterOf({ state: 'elsewhere' })).toBe('');
});
