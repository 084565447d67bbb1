import { isUuid } from '../isUuid.ts';
import type { EventType } from './eventTypes.ts';

const OF_EXECUTIONS: readonly EventType[] = [
  'execution.completed',
  'execution.failed',
  'execution.timedOut',
  'execution.cancelled',
  'question.opened',
];

/** The keys of a subscription's filterBy, with the events that have such a subject. */
const KEYS: ReadonlyMap<string, readonly EventType[]> = new Map([
  ['workflowId', OF_EXECUTIONS],
  ['projectId', [...OF_EXECUTIONS, 'queueItem.failed', 'turn.needsApproval']],
  ['queueId', ['queueItem.failed']],
  ['agentId', ['turn.needsApproval']],
  ['objectTypeSlug', ['object.changed']],
]);

/** Required subjects of an event by key: an id in lower case, or a slug. */
export type EventFilter = Readonly<Record<string, string>>;

/** Parses `key:value` pairs, separated by commas. A key that none of the events has would match nothing. */
export function readEventFilter(text: string, events: readonly string[]): EventFilter | { problem: string } {
  const filter: Record<string, string> = {};
  for (const part of text.split(',').filter((each) => each.trim() !== '')) {
    const [key = '', ...rest] = part.trim().split(':');
    const value = rest.join(':').replaceAll(/%2C/gi, ',');
    const types = KEYS.get(key);
    if (!types) return { problem: `${JSON.stringify(key)} is not one of ${[...KEYS.keys()].join(', ')}` };
    if (key in filter) return { problem: `${key} is given twice` };
    const isId = key.endsWith('Id');
    if (isId ? !isUuid(value) : value === '') return { problem: `${key}: expected ${isId ? 'an id' : 'a slug'}` };
    if (!types.some((type) => events.includes(type))) {
      return {
        problem: `${key}: only ${types.join(', ')} ${types.length === 1 ? 'has' : 'have'} it: expected one of them in events`,
      };
    }
    filter[key] = isId ? value.toLowerCase() : value;
  }
  return filter;
}

export function shownEventFilter(filter: EventFilter): string | null {
  // jsonb does not keep the order of keys.
  const keys = [...KEYS.keys()].filter((key) => key in filter);
  const parts = keys.map((key) => `${key}:${filter[key]?.replaceAll(',', '%2C')}`);
  return parts.length === 0 ? null : parts.join(',');
}
