import type { Search } from '../../ui/search.ts';
import { STORED, type Texts } from '../storage/browserStorage.ts';
import { readRows, writeRows } from '../storage/keptRows.ts';

/** Named filters of a list, as in the address. */
export interface SavedView {
  name: string;
  filters: Record<string, string>;
}

export const MAX_VIEWS = 50;
export const MAX_NAME_LENGTH = 60;

/** The storage key. `list`: `executions`, `items` or `objects/<id of the type>`. */
export const viewsKey = (userId: string, workspaceId: string, list: string) =>
  `${STORED.views.key}${userId}:${workspaceId}:${list}`;

export const readViews = (text: string | null): SavedView[] => readRows(text, isView);

/** Stores the views sorted by name. Throws a DOMException if the browser's storage is full. */
export function writeViews(texts: Texts, key: string, views: readonly SavedView[]): void {
  writeRows(
    texts,
    key,
    [...views].sort((one, other) => one.name.localeCompare(other.name)),
  );
}

export const withView = (views: readonly SavedView[], view: SavedView): SavedView[] => [
  ...views.filter(({ name }) => name !== view.name),
  view,
];

export const givenFilters = (search: Search): Record<string, string> =>
  Object.fromEntries(Object.entries(search).filter((pair): pair is [string, string] => (pair[1] ?? '') !== ''));

/** The change of the address after which it has exactly the filters of the view. */
export const changeTo = (present: Search, view: SavedView): Search => ({
  ...Object.fromEntries(Object.keys(present).map((name) => [name, undefined])),
  ...view.filters,
});

export function viewOf(views: readonly SavedView[], present: Search): SavedView | undefined {
  const given = JSON.stringify(sorted(givenFilters(present)));
  return views.find(({ filters }) => JSON.stringify(sorted(filters)) === given);
}

const sorted = (filters: Record<string, string>) =>
  Object.entries(filters).sort(([one], [other]) => (one < other ? -1 : 1));

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('filters' in value)) return false;
  const { name, filters } = value;
  if (typeof name !== 'string' || typeof filters !== 'object' || filters === null) return false;
  return Object.values(filters).every((each) => typeof each === 'string');
}

export const VIEWS = {
  filters: 'Filters',
  inForce: 'in force',
  button: 'Views',
  key: 'Saved views',
  save: 'Save these filters…',
  saveTitle: 'Save these filters',
  name: 'Name',
  where: 'Views are saved in this browser, for you only.',
  replaces: 'A view with this name exists and will be replaced.',
  saveButton: 'Save',
  saved: (name: string) => `The view “${name}” is saved.`,
  tooMany: (most: number) => `A list can have at most ${most} views. Delete one first.`,
  full: 'This browser has no storage left.',
  change: 'Rename or delete…',
  changeTitle: 'Views of this list',
  nameOf: (name: string) => `Name of ${name}`,
  delete: 'Delete',
  deleteOf: (name: string) => `Delete ${name}`,
  nameNeeded: 'Give it a name.',
  nameTwice: 'Another view has this name.',
  noneLeft: 'No views left. “Save” deletes them.',
  noneYet: 'Choose filters, then save them here.',
};
