import { action, control, edges, type Graph } from './graph.ts';

export const NEVER = {
  'an action': [action('never', 'testing.wait', { ms: 600_000 }, { parentId: 'first' })],
  'a child workflow': [
    control(
      'never',
      'forEach',
      { items: Array.from({ length: 150 }, (_, i) => i), concurrency: 9 },
      { parentId: 'first' },
    ),
    action('wait', 'testing.wait', { ms: 600_000 }, { parentId: 'never' }),
  ],
};

/**
 * Two concurrent loops whose regions run in one workflow task: an iteration of the first loop issues a command, the
 * other one fails later and cancels it before it is sent, and then the second loop issues a command.
 */
export function unsentCancelled(never = NEVER['an action']): Graph {
  const set = (id: string, parentId: string) => action(id, 'core.set', { values: {} }, { parentId });
  return {
    nodes: [
      control('first', 'forEach', { items: [true, false], concurrency: 2 }, { onError: 'continue' }),
      control('asks', 'condition', { condition: '{{ loop.item }}' }, { parentId: 'first' }),
      ...never,
      control('busy', 'repeat', { times: 200 }, { parentId: 'first' }),
      set('each', 'busy'),
      control('fails', 'condition', { condition: '{{ 1 / 0 == 1 }}' }, { parentId: 'first' }),
      control('second', 'forEach', { items: [0] }),
      control('longer', 'repeat', { times: 450 }, { parentId: 'second' }),
      set('inside', 'longer'),
      action('then', 'testing.succeed', { output: 1 }, { parentId: 'second' }),
    ],
    edges: edges('asks:true>never', 'asks:false>busy', 'busy>fails', 'longer>then'),
  };
}
