import { expect } from '@jest/globals';
import fc from 'fast-check';
import { action, chain, control, type Graph } from '../setup/workspace/graph.ts';
import { completed, failed, type Maker, onError, plainOrError } from './made.ts';

/** Store these before random graphs that run them. */
export const SUB_WORKFLOWS: (Graph & { slug: string })[] = [
  {
    slug: 'sub-quick',
    nodes: [action('n', 'core.transform', { value: '{{ trigger.n }}' })],
  },
  {
    slug: 'sub-slow',
    nodes: [
      action('remote', 'testing.wait', { ms: 400 }),
      control('pause', 'delay', { forMs: 200 }),
      action('n', 'core.transform', { value: '{{ trigger.n }}' }),
    ],
    edges: chain('remote', 'pause', 'n'),
  },
  {
    slug: 'sub-loop',
    nodes: [
      control('each', 'forEach', { items: [0, 1, 2], concurrency: 2 }),
      action('remote', 'testing.succeed', { output: '{{ loop.item }}' }, { parentId: 'each' }),
      action('n', 'core.transform', { value: '{{ size(steps.each.output) == 3 ? trigger.n : null }}' }),
    ],
    edges: chain('each', 'n'),
  },
  {
    slug: 'sub-deep',
    nodes: [control('n', 'runWorkflow', { slug: 'sub-quick', input: { n: '{{ trigger.n }}' } })],
  },
  { slug: 'sub-fails', nodes: [action('bad', 'testing.fail', { retryable: false })] },
];

const goodSlugs = fc.constantFrom('sub-quick', 'sub-slow', 'sub-loop', 'sub-deep');

/** Runs another workflow of the project, successful or not, awaited or not. */
export const subWorkflows: fc.Arbitrary<Maker> = fc
  .tuple(fc.oneof(goodSlugs, goodSlugs, fc.constant('sub-fails')), fc.boolean(), onError)
  .map(([slug, wait, how]) => (id) => {
    const fails = slug === 'sub-fails' && wait;
    return {
      node: control(id, 'runWorkflow', { slug, input: { n: id }, wait }, { onError: how }),
      handles: plainOrError(how),
      ...(fails
        ? { outcome: failed(id) }
        : { outcome: completed(id), output: wait ? id : { executionId: expect.any(String) } }),
    };
  });

/** The end of an execution that nothing cancels. */
export function endOfSubWorkflow(slug: string): 'COMPLETED' | 'FAILED' {
  return slug === 'sub-fails' ? 'FAILED' : 'COMPLETED';
}
