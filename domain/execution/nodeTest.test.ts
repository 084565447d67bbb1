import { expect, test } from '@jest/globals';
import type { Definition, Node } from '../workflow/definition.ts';
import { shownAnswer, testedDefinition } from './nodeTest.ts';

const secret = { key: 'token', label: 'Token', type: 'secret', required: true };
const node: Node = {
  id: 'call',
  type: 'action',
  appId: 'core',
  actionId: 'set',
  inputs: { values: { a: 1 } },
  parentId: 'each',
  onError: 'route',
  retry: { maximumAttempts: 3, initialIntervalMs: 1, backoffCoefficient: 1, maximumIntervalMs: 1 },
};
const definition = {
  trigger: { id: 'trigger', type: 'manual', config: { fields: [secret] } },
  nodes: [
    { id: 'ask', type: 'input', inputs: { fields: [secret, { key: 'user', label: 'User', type: 'text' }] } },
    node,
  ],
  edges: [{ id: 'e', source: 'ask', target: 'call' }],
  output: 1,
} as unknown as Definition;

test('of the definition the node is left, for one attempt in the time', () => {
  const rest = { id: 'call', type: 'action', appId: 'core', actionId: 'set', timeoutMs: 500 };
  expect(testedDefinition(definition, node, undefined, 500)).toEqual({
    trigger: definition.trigger,
    nodes: [{ ...rest, inputs: { values: { a: 1 } } }],
    edges: [],
  });
  expect(testedDefinition(definition, node, { b: 2 }, 500).nodes).toEqual([{ ...rest, inputs: { b: 2 } }]);
});

test('values of secret fields are masked everywhere in the result', () => {
  const answer = {
    status: 'FAILED' as const,
    output: { all: ['pin-482913', 'Bearer key-771204', 'ada'] },
    error: { code: 'X', message: 'not pin-482913', attempt: 1 },
    durationMs: 1,
  };
  const request = { trigger: { token: 'pin-482913' }, steps: { ask: { token: 'key-771204', user: 'ada' } } };
  expect(shownAnswer(answer, definition, request)).toEqual({
    ...answer,
    output: { all: ['***', 'Bearer ***', 'ada'] },
    error: { code: 'X', message: 'not ***', attempt: 1 },
  });
  expect(shownAnswer(answer, definition, { trigger: null, steps: {} })).toEqual(answer);
});
