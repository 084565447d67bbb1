import { escaped } from '../../../ui/escaped.ts';
import type { SearchOf } from '../../../ui/search.ts';
import { sinceTime } from '../../../ui/time/since.ts';

/** The search field accepts `#4102`, `order=A-1042`, `HTTP_502`, or part of a name. */
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

/** Failures that were neither retried with success nor acknowledged. */
export const FAILING = { status: 'FAILED,TIMED_OUT', retried: 'false', acknowledged: 'false' } as const;

/** Returns the API's `filterBy` for the list's search parameters; without `status` for the counts by status. */
export function filterByOf(search: SearchOf<'/frame/executions'>, now: number, { withStatus = true } = {}): string {
  const { status, since, after, before, q, workflow, retrying, held, label, number, errorCode, failedNodeId } = search;
  const { version, task, retried, acknowledged, waitingForApproval, waitingForWorker, draft } = search;
  const from = after ? justBefore(after) : sinceTime(since, now);
  const pairs = [
    withStatus && status ? `status:${status.replaceAll(',', '|')}` : undefined,
    workflow ? `workflowId:${escaped(workflow)}` : undefined,
    version ? `workflowVersion:${escaped(version)}` : undefined,
    from === undefined ? undefined : `startedAfter:${from}`,
    before ? `startedBefore:${escaped(before)}` : undefined,
    retrying === 'true' ? 'retrying:true' : undefined,
    retried ? `retried:${escaped(retried)}` : undefined,
    acknowledged ? `acknowledged:${escaped(acknowledged)}` : undefined,
    held === 'true' ? 'held:true' : undefined,
    draft === 'true' ? 'draft:true' : undefined,
    waitingForApproval === 'true' ? 'waitingForApproval:true' : undefined,
    waitingForWorker ? `waitingForWorker:${escaped(waitingForWorker)}` : undefined,
    label ? searchPair(label.replace(':', '=')) : undefined,
    number ? `number:${escaped(number)}` : undefined,
    errorCode ? `errorCode:${escaped(errorCode)}` : undefined,
    failedNodeId ? `failedNodeId:${escaped(failedNodeId)}` : undefined,
    task ? `taskId:${escaped(task)}` : undefined,
    searchPair(q ?? ''),
  ];
  return pairs.filter((pair) => pair !== undefined).join(',');
}

/** Returns the millisecond before, because `startedAfter` excludes its own time. The API refuses an invalid time. */
function justBefore(time: string): string {
  const at = Date.parse(time);
  return Number.isNaN(at) ? escaped(time) : new Date(at - 1).toISOString();
}
