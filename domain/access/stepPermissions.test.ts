import { describe, expect, test } from '@jest/globals';
import type { GivenSettings } from '../agent/definition.ts';
import type { ActionManifest, AppManifest } from '../app/manifest.ts';
import type { Definition, Node } from '../workflow/definition.ts';
import { needsOfAgent } from './agentPermissions.ts';
import { PERMISSIONS, ROLE_PERMISSIONS } from './permission.ts';
import { mayDoAnyStep, missingNeeds, needsOfDefinition, needsOfNode } from './stepPermissions.ts';

const action = (actionId: string, more: Partial<ActionManifest>): ActionManifest => ({
  ...{
    actionId,
    name: actionId,
    description: '',
    inputConfig: { fields: [] },
    effect: 'read',
    repeatable: true,
    requiresConnection: false,
  },
  ...{ permissions: [], placement: 'remote', ...more },
});
const work: AppManifest = {
  ...{ appId: 'work', name: 'Work', description: '', icon: '', categories: [], connectionTypes: [] },
  actions: [
    action('pure', {}),
    action('find', { permissions: ['objects:read'] }),
    action('move', { permissions: ['objects:read', 'objects:write'] }),
    action('ask', { requiresConnection: true }),
  ],
  triggers: [
    { triggerId: 'news', name: '', description: '', inputConfig: { fields: [] }, permissions: [] },
    { triggerId: 'changed', name: '', description: '', inputConfig: { fields: [] }, permissions: ['objects:read'] },
  ],
};
const agentApp = { ...work, appId: 'agent', actions: [action('run', { permissions: ['agents:use'] })], triggers: [] };
const catalogue = new Map([
  ['work', work],
  ['agent', agentApp],
]);

const step = (actionId: string, more: Partial<Node> = {}): Node => ({
  ...{ id: 'n', type: 'action', appId: 'work', actionId },
  ...more,
});
const at = (needs: readonly { permission: string; path: string }[]) =>
  needs.map((each) => `${each.path}: ${each.permission}`);
const ofNode = (node: Node) => at(needsOfNode(node, 'nodes[0]', catalogue));
const ofTrigger = (trigger: object) =>
  at(needsOfDefinition({ trigger, nodes: [], edges: [] } as unknown as Definition, catalogue));

describe('a node needs', () => {
  test.each<[string, Node, string[]]>([
    ['nothing for what stays inside the step', step('pure', { inputs: { a: '{{ trigger.b }}' } }), []],
    ['what its action says, all of it', step('move'), ['nodes[0]: objects:read', 'nodes[0]: objects:write']],
    [
      'connections:use where it names one',
      step('pure', { connectionId: 'c' }),
      ['nodes[0].connectionId: connections:use'],
    ],
    ['connections:use where it takes the default', step('ask'), ['nodes[0].connectionId: connections:use']],
    [
      'variables:read for each text that reads one, however it is written',
      step('pure', {
        inputs: {
          a: { b: ['{{ variables.x }}'] },
          c: '{{ variables["y"] }} z',
          d: '{{ variables }}',
          e: 'variables.x',
        },
      }),
      [
        'nodes[0].inputs.a.b[0]: variables:read',
        'nodes[0].inputs.c: variables:read',
        'nodes[0].inputs.d: variables:read',
      ],
    ],
    [
      'the same in a control node',
      { id: 'n', type: 'switch', inputs: { cases: [{ name: 'a', when: '{{ has(variables.x) }}' }] } },
      ['nodes[0].inputs.cases[0].when: variables:read'],
    ],
    [
      'executions:run to start another workflow',
      { id: 'n', type: 'runWorkflow', inputs: { slug: 's' } },
      ['nodes[0]: executions:run'],
    ],
  ])('%s', (_, node, expected) => expect(ofNode(node)).toEqual(expected));
});

test('a trigger needs the permissions for what it reads', () => {
  const poll = (config: object) => ofTrigger({ type: 'poll', config: { appId: 'work', everyMs: 1, ...config } });
  expect(ofTrigger({ type: 'manual', config: {} })).toEqual([]);
  expect(ofTrigger({ type: 'queue', config: { queueId: 'q' } })).toEqual(['trigger.config.queueId: queues:write']);
  expect(poll({ triggerId: 'news' })).toEqual([]);
  expect(poll({ triggerId: 'changed' })).toEqual(['trigger.config: objects:read']);
  expect(poll({ triggerId: 'news', connectionId: 'c' })).toEqual(['trigger.config.connectionId: connections:use']);
});

test('the output of a workflow may read variables, and a missing permission has its place and reason', () => {
  const definition = {
    trigger: { type: 'manual', config: {} },
    nodes: [step('find')],
    edges: [],
    output: '{{ variables.a }}',
  };
  const needs = needsOfDefinition(definition as unknown as Definition, catalogue);
  expect(at(needs)).toEqual(['nodes[0]: objects:read', 'output: variables:read']);
  expect(missingNeeds(needs, new Set(['objects:read'] as const))).toEqual([
    {
      permission: 'variables:read',
      path: 'output',
      message: 'an expression that reads variables needs the permission variables:read',
    },
  ]);
  expect(missingNeeds(needs, new Set(PERMISSIONS))).toEqual([]);
});

const ofAgent = (settings: Partial<GivenSettings>) =>
  at(needsOfAgent({ instructions: '', model: 'm', ...settings }, catalogue));

test.each<[Partial<GivenSettings>, string[]]>([
  [{}, []],
  [{ aiConnectionId: 'c' }, ['aiConnectionId: connections:use']],
  [{ connectionIds: ['c', 'd'] }, ['connectionIds[0]: connections:use', 'connectionIds[1]: connections:use']],
  [{ knowledgeIds: ['k'] }, ['knowledgeIds[0]: knowledge:read']],
  [{ workflowIds: ['w'] }, ['workflowIds[0]: executions:run']],
  [{ subAgentIds: ['a'] }, ['subAgentIds[0]: agents:use', 'subAgentIds[0]: agents:read']],
  [{ objectIds: ['o'] }, ['objectIds[0]: objects:read']],
  [{ objectTypeIds: ['t'] }, ['objectTypeIds[0]: objects:read']],
  [{ variableIds: ['v'] }, ['variableIds[0]: variables:read']],
  [{ enabledPlatformTools: ['list_queues'] }, ['enabledPlatformTools[0]: queues:read']],
  [{ mcpServers: [{ name: 's', url: 'u' }] }, []],
  [{ mcpServers: [{ name: 's', url: 'u', connectionId: 'c' }] }, ['mcpServers[0].connectionId: connections:use']],
  [{ tools: [{ appId: 'work', actionId: 'find', policy: 'deny' }] }, ['tools[0]: objects:read']],
  [{ tools: [{ appId: 'work', actionId: 'ask' }] }, ['tools[0].connectionId: connections:use']],
  // Actions that a person approves also run with the agent's permissions.
  [
    { dynamicActionDiscoveryEnabled: true },
    ['dynamicActionDiscoveryEnabled: objects:read', 'dynamicActionDiscoveryEnabled: objects:write'],
  ],
  // A fixed input is a literal, not an expression.
  [{ tools: [{ appId: 'work', actionId: 'pure', inputs: { a: '{{ variables.x }}' } }] }, []],
])('an agent with %j needs %j', (settings, expected) => expect(ofAgent(settings)).toEqual(expected));

test('the permissions of a builder are enough for any step', () => {
  expect(mayDoAnyStep({ permissions: new Set(ROLE_PERMISSIONS.builder) })).toBe(true);
  for (const missing of ROLE_PERMISSIONS.builder) {
    const permissions = new Set(PERMISSIONS.filter((permission) => permission !== missing));
    expect([missing, mayDoAnyStep({ permissions })]).toEqual([missing, false]);
  }
});

test('a viewer changes nothing, and sees neither credentials nor variables', () => {
  expect(ROLE_PERMISSIONS.viewer).toEqual([
    ...['projects:read', 'workflows:read', 'executions:read', 'queues:read'],
    ...['agents:read', 'knowledge:read', 'objects:read'],
  ]);
});

test('an operator does the work at hand, and changes neither definitions nor access', () => {
  expect(ROLE_PERMISSIONS.operator).toEqual([
    ...['projects:read', 'workflows:read', 'executions:read', 'executions:run', 'connections:read', 'variables:read'],
    ...['queues:read', 'queues:write', 'agents:read', 'agents:use', 'knowledge:read', 'objects:read', 'objects:write'],
  ]);
  expect(ROLE_PERMISSIONS.builder).toContain('connections:use');
  expect(ROLE_PERMISSIONS.owner).toContain('connections:use');
});
