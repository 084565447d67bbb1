import { expect, test } from '@jest/globals';
import type { Node } from '../../../../domain/workflow/definition.ts';
import { graph, wait } from './graphTexts.fixture.ts';
import { impliedEdges } from './impliedEdges.ts';

test('the trigger leads to the nodes to which no edge leads, but to none within a loop', () => {
  const loop: Node = { id: 'each', type: 'forEach', inputs: { items: [] } };
  const given = graph([wait('a'), loop, wait('in', { parentId: 'each' }), wait('b')], 'a>each');
  expect(impliedEdges(given).map(({ target }) => target)).toEqual(['a', 'b']);
});
