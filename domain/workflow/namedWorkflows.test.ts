import { expect, test } from '@jest/globals';
import type { Node } from './definition.ts';
import { namedWorkflows } from './namedWorkflows.ts';

const call = (id: string, inputs: Node['inputs']): Node => ({ id, type: 'runWorkflow', inputs });

test('literal names of nodes are resolved by id before slug, like a step; expressions and other nodes name nothing', () => {
  expect(
    namedWorkflows([
      call('a', { workflowId: 'w1' }),
      call('b', { workflowId: null, slug: 's' }),
      call('c', { slug: '{{ trigger.slug }}' }),
      call('d', { slug: 'team-{{ trigger.team }}' }),
      { id: 'e', type: 'action', appId: 'core', actionId: 'set', inputs: { slug: 's' } },
    ]),
  ).toEqual([
    { nodeId: 'a', by: 'workflowId', name: 'w1' },
    { nodeId: 'b', by: 'slug', name: 's' },
  ]);
});
