import { describe, expect, test } from '@jest/globals';
import type { ActionManifest } from '../app/manifest.ts';
import type { Node } from './definition.ts';
import { placementOf } from './placement.ts';

const action = (placement: ActionManifest['placement'], fields: object[] = []): ActionManifest => ({
  actionId: 'a',
  name: 'A',
  description: '',
  inputConfig: { fields: fields as ActionManifest['inputConfig']['fields'] },
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement,
});
const limited = { key: 'timeoutMs', label: 'Time', type: 'number', required: false, default: 10_000 };
const short = action({ inlineUpToMs: 200 }, [limited]);
const node = (more: Partial<Node> = {}): Node => ({ id: 'n', type: 'action', appId: 'x', actionId: 'a', ...more });

describe('placement', () => {
  test.each<[string, Node, ActionManifest | undefined, string]>([
    ['a control node', node({ type: 'condition' }), undefined, 'inline'],
    ['an action that the catalogue lost', node(), undefined, 'remote'],
    ['inline', node({ timeoutMs: 60_000 }), action('inline'), 'inline'],
    ['remote', node({ timeoutMs: 1 }), action('remote'), 'remote'],
    ['a child is accepted inline', node(), action('child'), 'inline'],
    ['no limit but the default', node(), short, 'remote'],
    ['a short default', node(), action({ inlineUpToMs: 200 }, [{ ...limited, default: 50 }]), 'inline'],
    ['a short input', node({ inputs: { timeoutMs: 200 } }), short, 'inline'],
    ['a longer input', node({ inputs: { timeoutMs: 201 } }), short, 'remote'],
    ['an input that is known when it runs', node({ inputs: { timeoutMs: '{{ trigger.ms }}' } }), short, 'remote'],
    ['a short node', node({ timeoutMs: 100, inputs: { timeoutMs: '{{ trigger.ms }}' } }), short, 'inline'],
    ['a short node with a longer input', node({ timeoutMs: 100, inputs: { timeoutMs: 9_000 } }), short, 'inline'],
    [
      'an input of that name that is no limit',
      node({ inputs: { timeoutMs: 5 } }),
      action({ inlineUpToMs: 200 }),
      'remote',
    ],
    ['a connection', node({ timeoutMs: 100, connectionId: 'c' }), short, 'remote'],
  ])('%s', (_, candidate, manifest, expected) => {
    expect(placementOf(candidate, manifest)).toBe(expected);
  });
});
