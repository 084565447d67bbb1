import { expect, test } from '@jest/globals';
import { graphLayout } from './graphLayout.ts';
import { placedNodes } from './placedNodes.ts';

const nodes = (...ids: string[]) => ids.map((id) => ({ id }));
const edges = (...pairs: string[]) =>
  pairs.map((pair) => {
    const [source = '', target = ''] = pair.split(' ');
    return { id: pair, source, target };
  });

test('nodes that follow one stand in the order of its edges, also where one of them goes on', () => {
  const all = nodes('check', 'yes', 'no', 'on', 'other');
  for (const first of [
    ['check yes', 'check no', 'check other'],
    ['check yes', 'check no', 'check other', 'yes on'],
    ['check yes', 'check no', 'check other', 'no on'],
  ]) {
    const { places } = graphLayout(all, edges(...first), false);
    const [yes, no, other] = ['yes', 'no', 'other'].map((id) => places.get(id)?.y ?? 0);
    expect([first, Number(yes) < Number(no), Number(no) < Number(other)]).toEqual([first, true, true]);
  }
});

test('nodes that want each other the other way round are laid out all the same', () => {
  const all = nodes('a', 'b', 'c', 'd');
  const { places } = graphLayout(all, edges('a c', 'a d', 'b d', 'b c', 'c d'), true);
  expect([...places.keys()].sort()).toEqual(['a', 'b', 'c', 'd']);
});

test('a node of many ways is as high as their names need, laid out or placed', () => {
  const all = [
    { id: 'which', ways: 6, position: { x: 0, y: 0 } },
    { id: 'one', position: { x: 300, y: 0 } },
  ];
  for (const places of [graphLayout(all, edges('which one'), false).places, placedNodes(all, 'trigger', false)]) {
    expect([places.get('which')?.height, places.get('one')?.height]).toEqual([112, 56]);
  }
});
