import type { SearchOf } from '../../ui/search.ts';

type Search = SearchOf<'/frame/inbox'>;

export type InboxEntry =
  | { kind: 'question'; executionId: string; stepId: string }
  | { kind: 'approval'; taskId: string }
  | { kind: 'item'; queueId: string; itemId: string };

const KINDS = ['question', 'approval', 'item'] as const;

/** Reads the search parameters `?question=<executionId>/<stepId>`, `?approval=<taskId>`, `?item=<queueId>/<itemId>`. */
export function entryOf(search: Search): InboxEntry | undefined {
  const [executionId, stepId] = search.question?.split('/') ?? [];
  if (executionId && stepId) return { kind: 'question', executionId, stepId };
  if (search.approval) return { kind: 'approval', taskId: search.approval };
  const [queueId, itemId] = search.item?.split('/') ?? [];
  return queueId && itemId ? { kind: 'item', queueId, itemId } : undefined;
}

/** Returns the search parameters that open an entry, or none. All other parameters stay. */
export function searchOf(entry: InboxEntry | undefined, search: Search): Search {
  const others = Object.fromEntries(KINDS.map((kind) => [kind, undefined]));
  return { ...search, ...others, ...(entry === undefined ? {} : { [entry.kind]: placeOf(entry) }) };
}

function placeOf(entry: InboxEntry): string {
  if (entry.kind === 'question') return `${entry.executionId}/${entry.stepId}`;
  return entry.kind === 'approval' ? entry.taskId : `${entry.queueId}/${entry.itemId}`;
}

export const entryKey = (entry: InboxEntry) => `${entry.kind}:${placeOf(entry)}`;

/** Returns the entry after this one that is not done, else the first such entry. */
export function nextEntry(
  entries: readonly InboxEntry[],
  from: InboxEntry | undefined,
  isDone: (key: string) => boolean,
): InboxEntry | undefined {
  const keys = entries.map(entryKey);
  const at = from === undefined ? -1 : keys.indexOf(entryKey(from));
  const around = [...entries.slice(at + 1), ...entries.slice(0, Math.max(at, 0))];
  return around.find((each) => !isDone(entryKey(each)));
}
