import { expect, test } from '@jest/globals';
import { actionToolName, workflowToolNames } from './toolNames.ts';

test('providers accept all tool names', () => {
  expect(actionToolName({ appId: 'my.app', actionId: 'do it' })).toBe('my_app_do_it');
  const [name] = workflowToolNames([{ id: 'a', slug: 's'.repeat(128) }]).values();
  expect(name).toHaveLength(64);
  expect([...workflowToolNames([{ id: 'a', slug: 'Refund.v2' }]).values()]).toEqual(['workflow_Refund_v2']);
});

test('if two workflows have one slug, the second name contains its id, in any order', () => {
  const one = { id: '0193aaaa-0000-7000-8000-000000000001', slug: 'refund' };
  const two = { id: '0193aaaa-0000-7000-8000-000000000002', slug: 'refund' };
  for (const workflows of [
    [one, two],
    [two, one],
  ]) {
    expect(workflowToolNames(workflows)).toEqual(
      new Map([
        [one.id, 'workflow_refund'],
        [two.id, `workflow_${two.id}`],
      ]),
    );
  }
});
