import { expect, test } from '@jest/globals';
import { context, definitionOf } from './graphs.fixture.ts';
import { inSteps, linearDefinition } from './linear.ts';
import { validateDefinition } from './validate.ts';

test('steps become a line, and problems name the steps', () => {
  const { candidate } = linearDefinition([
    { appId: 'app', actionId: 'get', inputs: { url: 'u' } },
    { id: 'x', appId: 'app', actionId: 'set', inputs: { url: '{{ steps.step1.output }}' } },
  ]);
  const definition = definitionOf(candidate);
  expect(definition.nodes.map(({ id }) => id)).toEqual(['step1', 'x']);
  expect(definition.edges.map(({ source, target }) => [source, target])).toEqual([
    ['trigger', 'step1'],
    ['step1', 'x'],
  ]);
  expect(linearDefinition([{ appId: 'app', actionId: 'get', onError: 'route' }]).problems).toMatchObject([
    { path: 'steps[0].onError' },
  ]);
  const bad = linearDefinition([{ appId: 'no', actionId: 'get' }, 5, { id: 'step1', appId: 'app', actionId: 'set' }]);
  const paths = inSteps(validateDefinition(bad.candidate, context).problems).map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['steps[0].appId', 'steps[1]', 'steps[2].id']));
  expect(paths.join()).not.toMatch(/nodes|edges/);
});
