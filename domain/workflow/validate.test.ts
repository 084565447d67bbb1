import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileDefinition } from './compile.ts';
import { catalogue, condition, context, definitionOf, edge, node, problemsOf } from './graphs.fixture.ts';
import { validateDefinition } from './validate.ts';

test('a good graph gets its defaults, and validates to itself', () => {
  const definition = definitionOf({
    nodes: [
      node('a', { onError: 'route', retry: { maximumAttempts: 3 }, name: null }),
      condition('c', { inputs: { condition: '{{ steps.a.output.ok }}' } }),
      { id: 's', type: 'switch', inputs: { value: '{{ trigger.x }}', cases: [{ name: 'one', equals: 1 }] } },
      {
        id: 'i',
        type: 'input',
        inputs: { fields: [{ key: 'k', type: 'text', default: '{{ trigger.d }}' }], expiresInMs: 5 },
      },
      { id: 'r', type: 'respond', inputs: { status: 201, body: '{{ steps.a.output }}' } },
      { id: 'e', type: 'stop', inputs: { outcome: 'failed', message: 'no {{ steps.a.error.message }}' } },
    ],
    edges: [
      edge('trigger', 'a'),
      edge('a', 'c'),
      edge('a', 'e', 'error'),
      edge('c', 's', 'true'),
      edge('s', 'i', 'one'),
      edge('s', 'r', 'default'),
      edge('i', 'r', 'expired'),
    ],
    output: '{{ steps.?r.output.orValue(null) }}',
  });
  expect(definition.trigger).toEqual({ id: 'trigger', type: 'manual', config: {} });
  expect(definition.edges.map(({ id }) => id)).toContain('c.true>s');
  expect(definition.nodes[3]?.inputs?.fields).toMatchObject([{ key: 'k', label: 'k', required: false }]);
  expect(definitionOf(definition)).toEqual(definition);
});

describe('each mistake has its place', () => {
  const graph = (nodes: unknown[], edges: unknown[] = [], more: object = {}) => ({ nodes, edges, ...more });
  test.each<[string, unknown, string]>([
    ['no object', [], ': expected a definition, got a list'],
    ['no nodes', {}, 'nodes: required'],
    ['unknown member', graph([], [], { edge: [] }), 'edge: a definition has no such member'],
    ['bad id', graph([node('a b')]), 'nodes[0].id: expected 1 to 64'],
    ['trigger id', graph([node('trigger')]), 'nodes[0].id: the id trigger'],
    ['two of an id', graph([node('a'), node('a')]), 'nodes[1].id: the id a is already used at nodes[0]'],
    ['unknown type', graph([node('a', { type: 'loop' })]), 'nodes[0].type: expected one of action'],
    [
      'neither id nor slug',
      graph([{ id: 'a', type: 'runWorkflow' }]),
      'expected exactly one of workflowId, slug, got none',
    ],
    [
      'queue trigger without its queue',
      graph([], [], { trigger: { type: 'queue', config: { batchSize: 501 } } }),
      'trigger.config.queueId: required: the id of the queue whose items start the workflow',
    ],
    [
      'webhook config',
      graph([], [], { trigger: { type: 'webhook', config: { respond: 'later' } } }),
      'trigger.config.respond: expected one of immediately',
    ],
    [
      'manual fields',
      graph([], [], { trigger: { type: 'manual', config: { fields: [{ key: 'a', type: 'x' }] } } }),
      'trigger.config.fields[0].type',
    ],
    ['misspelt member', graph([node('a', { input: {} })]), 'nodes[0].input: a node has no such member'],
    ['unknown target', graph([node('a')], [edge('a', 'b')]), 'edges[0].target: there is no node b'],
    ['unknown source', graph([node('a')], [edge('b', 'a')]), 'edges[0].source: there is no node b'],
    ['to the trigger', graph([node('a')], [edge('a', 'trigger')]), 'edges[0].target: the trigger cannot be a target'],
    [
      'twice the same',
      graph([node('a')], [edge('trigger', 'a'), edge('trigger', 'a')]),
      'edges[1]: the same edge is already listed at edges[0]',
    ],
    [
      'a cycle',
      graph([node('z'), node('a'), node('b')], [edge('z', 'a'), edge('a', 'b'), edge('b', 'a')]),
      'the edges run in a circle: ',
    ],
    ['itself', graph([node('a')], [edge('a', 'a')]), 'edges[0]: the edges run in a circle: a → a'],
    ['parent', graph([node('a', { parentId: 'x' })]), 'nodes[0].parentId: there is no node x'],
    [
      'parent without inside',
      graph([node('a'), node('b', { parentId: 'a' })]),
      'nodes[1].parentId: the node a is not a loop',
    ],
    [
      'across scopes',
      graph([node('a'), node('b', { parentId: 'a' })], [edge('a', 'b')]),
      'edges[0].target: the edge leads from the top to the inside of a',
    ],
    ['unknown app', graph([node('a', { appId: 'x' })]), 'nodes[0].appId: there is no app x'],
    [
      'unknown action',
      graph([node('a', { actionId: 'x' })]),
      'nodes[0].actionId: the app app has no action x, expected one of get, set',
    ],
    [
      'condition without handle',
      graph([condition('a'), node('b')], [edge('a', 'b')]),
      'edges[0].sourceHandle: required for condition a: expected one of true, false',
    ],
    [
      'unknown handle',
      graph([node('a'), node('b')], [edge('a', 'b', 'true')]),
      'edges[0].sourceHandle: action a has no handle true',
    ],
    ['error without route', graph([node('a'), node('b')], [edge('a', 'b', 'error')]), 'only when its onError is route'],
    [
      'behind a stop',
      graph([{ id: 'a', type: 'stop', inputs: { outcome: 'completed' } }, node('b')], [edge('a', 'b')]),
      'ends the execution',
    ],
    ['handle of the trigger', graph([node('b')], [edge('trigger', 'b', 'x')]), 'the trigger has no handles'],
    ['input required', graph([node('a', { inputs: {} })]), 'nodes[0].inputs.url: required'],
    ['input unknown', graph([node('a', { inputs: { url: 'u', uri: 'x' } })]), 'nodes[0].inputs.uri: unknown key'],
    [
      'input type',
      graph([node('a', { inputs: { url: 'u', count: 'x' } })]),
      'nodes[0].inputs.count: expected a number, got text',
    ],
    [
      'text around an expression',
      graph([node('a', { inputs: { url: 'u', count: 'x{{ trigger.n }}' } })]),
      'nodes[0].inputs.count: expected a number',
    ],
    [
      'an object',
      graph([node('a', { inputs: { url: 'u', headers: ['x'] } })]),
      'nodes[0].inputs.headers: expected an object, got a list',
    ],
    [
      'a list of expressions for an object',
      graph([node('a', { inputs: { url: 'u', headers: ['{{ trigger.x }}'] } })]),
      'nodes[0].inputs.headers: expected an object, got a list',
    ],
    [
      'a text around an expression for an object',
      graph([node('a', { inputs: { url: 'u', headers: 'x{{ trigger.x }}' } })]),
      'nodes[0].inputs.headers: expected an object, got text',
    ],
    [
      'condition',
      graph([condition('a', { inputs: { condition: 'yes' } })]),
      'nodes[0].inputs.condition: expected true, false or an expression',
    ],
    [
      'case names',
      graph([
        {
          id: 's',
          type: 'switch',
          inputs: {
            cases: [
              { name: 'a', when: true },
              { name: 'a', when: true },
            ],
          },
        },
      ]),
      'nodes[0].inputs.cases[1].name: the name a is already used at',
    ],
    [
      'case default',
      graph([{ id: 's', type: 'switch', inputs: { cases: [{ name: 'default', when: true }] } }]),
      'the name default is reserved',
    ],
    [
      'case without when',
      graph([{ id: 's', type: 'switch', inputs: { cases: [{ name: 'a', equals: 1 }] } }]),
      'cases[0].when: required',
    ],
    [
      'cases as expression',
      graph([{ id: 's', type: 'switch', inputs: { cases: '{{ trigger.c }}' } }]),
      'inputs.cases: expected a list of cases',
    ],
    [
      'form',
      graph([{ id: 'i', type: 'input', inputs: { fields: [{ key: 'k', type: 'x' }] } }]),
      'nodes[0].inputs.fields[0].type',
    ],
    [
      'approvals',
      graph([{ id: 'i', type: 'input', inputs: { fields: [], approvals: 0 } }]),
      'nodes[0].inputs.approvals: expected a whole number from 1 to 100, or {required}',
    ],
    [
      'status',
      graph([{ id: 'r', type: 'respond', inputs: { status: 42 } }]),
      'nodes[0].inputs.status: expected a whole number from 200',
    ],
    ['outcome', graph([{ id: 'r', type: 'stop' }]), 'nodes[0].inputs.outcome: required'],
    [
      'attempts',
      graph([node('a', { retry: { maximumAttempts: 1001 } })]),
      'nodes[0].retry.maximumAttempts: expected a whole number from 1 to 1000, got 1001',
    ],
    [
      'intervals',
      graph([node('a', { retry: { maximumAttempts: 2, initialIntervalMs: 10, maximumIntervalMs: 5 } })]),
      'nodes[0].retry.maximumIntervalMs: expected at least',
    ],
    [
      'backoff',
      graph([node('a', { retry: { maximumAttempts: 2, backoffCoefficient: 0.5 } })]),
      'nodes[0].retry.backoffCoefficient',
    ],
    ['timeout', graph([node('a', { timeoutMs: 0 })]), 'nodes[0].timeoutMs'],
    [
      'retry of a condition',
      graph([condition('a', { retry: { maximumAttempts: 2 } })]),
      'nodes[0].retry: only a node of type action',
    ],
    [
      'broken expression',
      graph([node('a', { inputs: { url: 'u', body: { h: ['{{ 1 + }}'] } } })]),
      'nodes[0].inputs.body.h[0]: the expression ends too early, expected a value (at position 3 of {{ 1 + }})',
    ],
    [
      'unknown step',
      graph([node('a', { inputs: { url: '{{ steps.b.output }}' } })]),
      'nodes[0].inputs.url: there is no node b',
    ],
    [
      'trigger as step',
      graph([node('a', { inputs: { url: '{{ steps.trigger.output.url }}' } })]),
      'nodes[0].inputs.url: the trigger is not a step, expected trigger instead of steps.trigger (at position 6',
    ],
    [
      'step not before',
      graph([node('a', { inputs: { url: '{{ steps.b.output }}' } }), node('b')], [edge('a', 'b')]),
      'nodes[0].inputs.url: the node b cannot have run before a',
    ],
    [
      'itself as step',
      graph([node('a', { inputs: { url: '{{ steps.a.output }}' } })]),
      'the node a cannot have run before a',
    ],
    ['loop at the top', graph([node('a', { inputs: { url: '{{ loop.item }}' } })]), 'loop exists only inside loops'],
    ['output', graph([node('a')], [], { output: { x: '{{ steps.b.output }}' } }), 'output.x: there is no node b'],
    ['NUL', graph([node('a', { inputs: { url: 'a\u0000' } })]), 'cannot be stored'],
    [
      'too many nodes',
      graph(Array.from({ length: 1_001 }, (_, i) => node(`n${i}`))),
      'nodes: 1001 nodes, at most 1000',
    ],
    ['too many bytes', graph([node('a', { inputs: { url: 'x'.repeat(262_144) } })]), 'at most 262144 are allowed'],
    [
      'too deep',
      graph([node('a', { inputs: { body: JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) } })]),
      'nested too deeply',
    ],
  ])('%s', (_name, candidate, expected) => {
    expect(problemsOf(candidate)).toEqual(expect.arrayContaining([expect.stringContaining(expected)]));
  });

  test('all of it at once, with the node', () => {
    const { problems } = validateDefinition(
      graph([node('a', { inputs: { url: '{{ x }}', count: 'y' } }), node('b', { appId: 'z' })], [edge('a', 'q')]),
      context,
    );
    expect(problems.map(({ path, nodeId }) => [path, nodeId])).toEqual([
      ['edges[0].target', undefined],
      ['nodes[0].inputs.count', 'a'],
      ['nodes[1].appId', 'b'],
      ['nodes[0].inputs.url', 'a'],
    ]);
  });

  test('anything at all is answered, never thrown', () => {
    const wild = fc.jsonValue({ maxDepth: 4 });
    const member = fc.constantFrom(
      'id',
      'type',
      'inputs',
      'retry',
      'source',
      'target',
      'config',
      'fields',
      'cases',
      'parentId',
      'onError',
      'position',
    );
    const odd = fc.dictionary(
      member,
      fc.oneof(wild, fc.constantFrom('a', 'action', 'switch', 'input', 'condition', 'stop', 'respond')),
    );
    const odds = fc.array(fc.oneof(odd, wild));
    fc.assert(
      fc.property(
        fc.record({ trigger: fc.oneof(odd, wild), nodes: fc.oneof(odds, wild), edges: fc.oneof(odds, wild) }),
        (candidate) => {
          const { definition, problems } = validateDefinition(candidate, context);
          if (definition === undefined) expect(problems.length).toBeGreaterThan(0);
          else compileDefinition(definition, catalogue);
        },
      ),
      { numRuns: 300 },
    );
  });
});

test('the expressions of a definition have a greatest size together; equal ones count once', () => {
  const values = (count: number, text: (index: number) => string) => ({
    nodes: [
      {
        id: 'w',
        type: 'stop',
        inputs: { outcome: 'completed', output: Array.from({ length: count }, (_, index) => text(index)) },
      },
    ],
    edges: [],
  });
  const limits = { ...context.limits, maxExpressions: 1_000 };
  const of = (candidate: object) => validateDefinition(candidate, { ...context, limits }).problems;
  expect(of(values(90, (index) => `{{ ${index} }}{{ ${index} }}`))).toEqual([]);
  expect(of(values(5_000, () => '{{ trigger }}'))).toEqual([]);
  expect(of(values(200, (index) => `{{ ${index} }}`))).toEqual([
    {
      path: '',
      message:
        'the expressions of the definition have 1490 characters, at most 1000 are allowed (MAX_DEFINITION_EXPRESSIONS)',
    },
  ]);
});
