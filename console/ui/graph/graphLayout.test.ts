import { expect, test } from '@jest/globals';
import { graphLayout } from './graphLayout.ts';
import { placedNodes } from './graphShape.ts';

const nodes = (...ids: string[]) => ids.map((id) => ({ id }));
const edges = (...pairs: string[]) =>
  pairs.map((pair) => {
    const [source = '', target = ''] = pair.split(' ');
    return { id: pair, source, target };
  });

test('nodes after one are in the order of its edges, also if one of them has successors', () => {
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

test('an edge that passes what another edge of its node leads to is on its own side of it', () => {
  const all = nodes('check', 'yes', 'pay', 'end');
  const middle = (points: { y: number }[] | undefined) => points?.[Math.floor(points.length / 2)]?.y ?? 0;
  for (const [first, second, side] of [
    ['check yes', 'check pay', 1],
    ['check pay', 'check yes', -1],
  ] as const) {
    const { places, ways } = graphLayout(all, edges(first, second, 'yes pay', 'pay end'), false);
    const { y = 0, height = 0 } = places.get('yes') ?? {};
    expect(Math.sign(middle(ways.get('check pay')) - (y + height / 2))).toBe(side);
    // The path reaches its end and has no duplicate points.
    const points = ways.get('check pay') ?? [];
    expect(points[0]?.x).toBe((places.get('check')?.x ?? 0) + (places.get('check')?.width ?? 0));
    expect(points.at(-1)?.x).toBe(places.get('pay')?.x);
    expect(new Set(points.map(({ x, y: at }) => `${x} ${at}`)).size).toBe(points.length);
  }
});
