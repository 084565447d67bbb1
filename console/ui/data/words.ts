import { counted } from '../words/counted.ts';

export const DATA = {
  shapes: { tree: 'Tree', table: 'Table', json: 'JSON' },
  shapeOf: (what: string) => `Show ${what} as`,
  more: (left: number) => `Show more (${left.toLocaleString('en')} left)`,
  columnsLeft: (count: number) => `${counted(count, 'more column', 'more columns')}: see the tree.`,
  members: (count: number) => counted(count, 'member', 'members'),
  items: (count: number) => counted(count, 'item', 'items'),
  name: 'Name',
  position: 'Position',
  value: 'Value',
  absent: 'none',
};
