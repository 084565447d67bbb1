import { expect, test } from '@jest/globals';
import { AGENTS } from '../../../activities/apps/agent/manifest.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Definition } from '../../../domain/workflow/definition.ts';
import { nameless } from './nameless.ts';

const catalogue = new Map([[AGENTS.appId, AGENTS]]);

const asking = (...inputs: JsonObject[]): Definition => ({
  trigger: { id: 'trigger', type: 'manual', config: {} },
  nodes: inputs.map((given, index) => {
    const place = { id: `n${index}`, type: 'action' as const, position: { x: 0, y: 0 } };
    return { ...place, appId: 'agent', actionId: 'run', inputs: { message: 'Hi', ...given } };
  }),
  edges: [],
});

test('a node that asks an agent names one, by its id or its slug', () => {
  expect(
    nameless(asking({ slug: 'desk' }, { agentId: '{{ trigger.agent }}' }, { slug: 'd', agentId: '' }), catalogue),
  ).toEqual([]);
  const message = 'expected agentId or slug, got none';
  expect(nameless(asking({ slug: 'desk' }, {}, { slug: null, agentId: '' }), catalogue)).toEqual([
    { path: 'nodes[1].inputs', message, nodeId: 'n1' },
    { path: 'nodes[2].inputs', message, nodeId: 'n2' },
  ]);
});

test('of an action that the catalogue does not have nothing is said here', () => {
  expect(nameless(asking({}), new Map())).toEqual([]);
});
