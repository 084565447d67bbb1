import type { Search } from '../search.ts';
import { escaped } from './escaped.ts';

const SPANS_MS: Record<string, number> = {
  '1h': 3_600_000,
  '24h': 86_400_000,
  '7d': 604_800_000,
  '30d': 2_592_000_000,
};

/** The next longer time to look at; undefined where nothing longer is offered. */
export function longerSpan(since: string): string | undefined {
  const spans = Object.keys(SPANS_MS);
  return spans.includes(since) ? spans[spans.indexOf(since) + 1] : undefined;
}

/** A start is counted from the minute: the same list keeps its name while one looks at it. */
const MINUTE_MS = 60_000;

/** What people write into the one search field: `#4102`, `order=A-1042`, `HTTP_502`, or a part of a name. */
export function searchPair(text: string): string | undefined {
  const phrase = text.trim();
  if (phrase === '') return undefined;
  const number = /^#?(\d{1,9})$/.exec(phrase)?.[1];
  if (number !== undefined) return `number:${Number(number)}`;
  const label = /^([\w-]+)=(.+)$/.exec(phrase);
  if (label !== null) return `label.${label[1]}:${escaped(label[2] ?? '')}`;
  if (/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/.test(phrase)) return `errorCode:${phrase}`;
  return `name:${escaped(phrase)}`;
}

/** The API's `filterBy` of the address of the list; without `status` for the counts by status. */
export function filterByOf(search: Search, now: number, { withStatus = true } = {}): string {
  const { status, since, q, workflow, retrying, held, label, number, errorCode, failedNodeId, version, task } = search;
  const span = SPANS_MS[since ?? ''];
  const from =
    span === undefined ? undefined : new Date(Math.floor((now - span) / MINUTE_MS) * MINUTE_MS).toISOString();
  const pairs = [
    withStatus && status ? `status:${status.replaceAll(',', '|')}` : undefined,
    workflow ? `workflowId:${escaped(workflow)}` : undefined,
    version ? `workflowVersion:${escaped(version)}` : undefined,
    from === undefined ? undefined : `startedAfter:${from}`,
    retrying === 'true' ? 'retrying:true' : undefined,
    held === 'true' ? 'held:true' : undefined,
    label ? searchPair(label.replace(':', '=')) : undefined,
    number ? `number:${escaped(number)}` : undefined,
    errorCode ? `errorCode:${escaped(errorCode)}` : undefined,
    failedNodeId ? `failedNodeId:${escaped(failedNodeId)}` : undefined,
    task ? `taskId:${escaped(task)}` : undefined,
    searchPair(q ?? ''),
  ];
  return pairs.filter((pair) => pair !== undefined).join(',');
}
