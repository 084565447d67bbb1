import { describe, expect, test } from '@jest/globals';
import type { ActionManifest, AppManifest, InputConfig } from '../app/manifest.ts';
import type { JsonObject } from '../json.ts';
import { type ReferringKind, referencesIn, withReferences } from './references.ts';

const inputConfig = (refersTo: InputConfig['refersTo']): InputConfig => ({
  fields: [],
  ...(refersTo ? { refersTo } : {}),
});
const action = (actionId: string, refersTo?: InputConfig['refersTo']): ActionManifest => ({
  ...{
    actionId,
    name: actionId,
    description: '',
    inputConfig: inputConfig(refersTo),
    effect: 'read',
    repeatable: true,
    requiresConnection: false,
  },
  ...{ permissions: [], placement: 'remote' },
});
const work: AppManifest = {
  ...{ appId: 'work', name: 'Work', description: '', icon: '', categories: [], connectionTypes: [] },
  actions: [
    action('add', { queueId: { kind: 'queue', by: 'id' } }),
    action('find', { typeSlug: { kind: 'objectType', by: 'slug' } }),
    action('plain'),
  ],
  triggers: [
    {
      ...{ triggerId: 'changed', name: '', description: '', permissions: [] },
      inputConfig: inputConfig({ typeSlug: { kind: 'objectType', by: 'slug' } }),
    },
  ],
};
const catalogue = new Map([['work', work]]);
const id = (last: string) => `01935b1e-7c00-7c4f-8d6a-00000000000${last}`;

const RESOURCES: [ReferringKind, JsonObject, string[]][] = [
  [
    'workflow',
    {
      onFailureWorkflowId: id('1'),
      trigger: { id: 'trigger', type: 'queue', config: { queueId: id('2') } },
      nodes: [
        { id: 'a', type: 'action', appId: 'work', actionId: 'add', inputs: { queueId: id('3'), data: id('9') } },
        { id: 'b', type: 'action', appId: 'work', actionId: 'add', inputs: { queueId: '{{ trigger.queue }}' } },
        {
          id: 'c',
          type: 'action',
          appId: 'work',
          actionId: 'find',
          connectionId: id('4'),
          inputs: { typeSlug: 'order' },
        },
        { id: 'd', type: 'runWorkflow', inputs: { workflowId: id('5') } },
        { id: 'e', type: 'runWorkflow', inputs: { workflowId: null, slug: 'billing' } },
        { id: 'f', type: 'action', appId: 'work', actionId: 'plain', inputs: { queueId: id('9'), slug: 'x' } },
        { id: 'g', type: 'action', appId: 'gone', actionId: 'gone', inputs: { queueId: id('9') } },
        { id: 'h', type: 'action', appId: 'work', actionId: 'find', inputs: { typeSlug: '' } },
      ],
    },
    [
      `onFailureWorkflowId workflow id ${id('1')}`,
      `trigger.config.queueId queue id ${id('2')}`,
      `nodes[0].inputs.queueId queue id ${id('3')}`,
      `nodes[2].connectionId connection id ${id('4')}`,
      'nodes[2].inputs.typeSlug objectType slug order',
      `nodes[3].inputs.workflowId workflow id ${id('5')}`,
      'nodes[4].inputs.slug workflow slug billing',
    ],
  ],
  [
    'workflow',
    {
      trigger: {
        type: 'poll',
        config: {
          appId: 'work',
          triggerId: 'changed',
          connectionId: '@connection/bank',
          inputs: { typeSlug: 'order' },
        },
      },
      steps: [{ appId: 'work', actionId: 'add', connectionId: id('1'), inputs: { queueId: '@queue/refunds' } }],
    },
    [
      'trigger.config.connectionId connection id @connection/bank',
      'trigger.config.inputs.typeSlug objectType slug order',
      `steps[0].connectionId connection id ${id('1')}`,
      'steps[0].inputs.queueId queue id @queue/refunds',
    ],
  ],
  [
    'agent',
    {
      aiConnectionId: id('1'),
      connectionIds: [id('2')],
      workflowIds: [id('3'), id('4')],
      subAgentIds: [id('5')],
      knowledgeIds: [id('6')],
      objectIds: [id('7')],
      objectTypeIds: [id('8')],
      variableIds: [id('9')],
      tools: [{ appId: 'work', actionId: 'add', connectionId: null, inputs: { queueId: id('1') } }],
      mcpServers: [{ name: 'git', url: 'https://mcp.example/', connectionId: id('2') }],
    },
    [
      `aiConnectionId connection id ${id('1')}`,
      `connectionIds[0] connection id ${id('2')}`,
      `workflowIds[0] workflow id ${id('3')}`,
      `workflowIds[1] workflow id ${id('4')}`,
      `subAgentIds[0] agent id ${id('5')}`,
      `knowledgeIds[0] knowledge id ${id('6')}`,
      `objectIds[0] object id ${id('7')}`,
      `objectTypeIds[0] objectType id ${id('8')}`,
      `variableIds[0] variable id ${id('9')}`,
      `tools[0].inputs.queueId queue id ${id('1')}`,
      `mcpServers[0].connectionId connection id ${id('2')}`,
    ],
  ],
  [
    'objectType',
    {
      slug: 'order',
      attributeSchema: {
        type: 'object',
        properties: {
          buyer: { type: 'string', 'x-objectType': 'person' },
          'line items': { type: 'array', items: { type: 'string', 'x-objectType': 'product' } },
        },
      },
    },
    [
      'attributeSchema.properties.buyer.x-objectType objectType slug person',
      'attributeSchema.properties["line items"].items.x-objectType objectType slug product',
    ],
  ],
];

describe('references', () => {
  test.each(RESOURCES)('of a %s, with their places', (kind, resource, expected) => {
    const found = referencesIn(kind, resource, catalogue).map(
      ({ path, kind: of, by, name }) => `${path} ${of} ${by} ${name}`,
    );
    expect(found).toEqual(expected);
  });

  test.each(RESOURCES)('of a %s can be replaced and put back', (kind, resource) => {
    const before = JSON.stringify(resource);
    const names = new Map<string, string>();
    const portable = withReferences(kind, resource, catalogue, (reference) => {
      const text = `@${reference.kind}/n${names.size}`;
      names.set(text, reference.name);
      return text;
    });
    expect(JSON.stringify(resource)).toBe(before);
    expect(referencesIn(kind, portable, catalogue).map(({ name }) => name)).toEqual([...names.keys()]);
    const back = withReferences(kind, portable, catalogue, ({ name }) => names.get(name) ?? '');
    expect(JSON.stringify(back)).toBe(before);
  });

  test('shapes that are wrong are passed over', () => {
    expect(referencesIn('workflow', { trigger: 1, nodes: [1, { inputs: 2 }], steps: {} }, catalogue)).toEqual([]);
    expect(referencesIn('agent', { workflowIds: 'x', tools: [null], mcpServers: {} }, catalogue)).toEqual([]);
    expect(referencesIn('objectType', { attributeSchema: null }, catalogue)).toEqual([]);
  });
});
