import type { PollItem } from '../../../domain/execution/triggerCalls.ts';
import { valueAt } from '../../../domain/fieldPath.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Executor } from '../executor.ts';
import { type Poller, pollFailed } from '../poller.ts';
import { conditionalGet } from './conditionalGet.ts';

export function buildHttpPoll(request: Executor): Poller {
  return async (call) => {
    const { url, headers, itemsPath, idPath } = call.inputs as {
      url: string;
      headers?: JsonObject;
      itemsPath?: string;
      idPath: string;
    };
    const got = await conditionalGet(request, call, { url, ...(headers ? { headers } : {}), responseType: 'json' });
    if ('ok' in got) return got;
    if (got.kind === 'unchanged') return { ok: true, items: [], cursor: call.cursor };
    const list = valueAt(got.body, itemsPath ?? '');
    const place = itemsPath ? `"${itemsPath}" of the answer` : 'the answer';
    if (!Array.isArray(list)) return pollFailed('POLL_INVALID_ANSWER', `Expected a list as ${place}.`);
    const items: PollItem[] = [];
    for (const [index, item] of list.entries()) {
      const id = valueAt(item, idPath);
      if ((typeof id !== 'string' || id === '') && typeof id !== 'number') {
        return pollFailed('POLL_INVALID_ANSWER', `Entry ${index} of ${place} has no text or number at "${idPath}".`);
      }
      items.push({ key: String(id), item });
    }
    return { ok: true, items, cursor: got.cursor };
  };
}
