import { expect, test } from '@jest/globals';
import { changed, everywhere, type History, historyOf, redone, undone } from './draft.ts';

interface State {
  name: string;
  slug: string;
}

const named = (...states: State[]): History<State> => {
  const [first, ...rest] = states as [State, ...State[]];
  return rest.reduce((history, state, at) => changed(history, state, '', at), historyOf(first));
};
const isSame = (one: State, other: State) => one.name === other.name && one.slug === other.slug;
const placed = (history: History<State>) => everywhere(history, (state) => ({ ...state, slug: 'greet' }), isSame);
const all = ({ past, present, future }: History<State>) => [...past, present, ...future].map(({ name }) => name);

test('a change in all states leaves no step that changes nothing, before and behind the present one', () => {
  const history = named(
    { name: '', slug: '' },
    { name: 'Greet', slug: '' },
    { name: 'Greet', slug: 'greeting' },
    { name: 'Greet you', slug: 'greeting' },
    { name: 'Greet you', slug: 'other' },
    { name: 'Bye', slug: 'other' },
  );
  const back = undone(undone(history));
  expect(all(placed(history))).toEqual(['', 'Greet', 'Greet you', 'Bye']);
  const settled = placed(back);
  expect(settled.present).toEqual({ name: 'Greet you', slug: 'greet' });
  expect(undone(settled).present).toEqual({ name: 'Greet', slug: 'greet' });
  expect(redone(settled).present).toEqual({ name: 'Bye', slug: 'greet' });
  expect(redone(redone(settled))).toEqual(redone(settled));
});

test('a history in which all states are so already stays the same', () => {
  const history = named({ name: 'a', slug: 'greet' }, { name: 'b', slug: 'greet' });
  expect(everywhere(history, (state) => state, isSame)).toBe(history);
});
