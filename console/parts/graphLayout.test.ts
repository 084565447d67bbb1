import { expect, test } from '@jest/globals';
import { graphLayout } from './graphLayout.ts';

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
