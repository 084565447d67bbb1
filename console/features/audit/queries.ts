import type { Answer } from 'perdure-client';
import { pagesOf } from '../../app/api/pages.ts';
import { client } from '../../app/session/session.ts';
import { escaped } from '../../ui/escaped.ts';
import type { SearchOf } from '../../ui/search.ts';
import { timeOfField, type Zone } from '../../ui/time/times.ts';

export type AuditEntry = Answer<'listAuditLog'>[number];

export const AUDIT_FILTERS = ['actor', 'action', 'resourceType', 'resourceId', 'outcome', 'after', 'before'] as const;

/** Returns the time at which a day of the address begins or, for `before`, ends. */
function timeOf(name: string, day: string, zone: Zone): string {
  const begin = timeOfField(day, zone);
  if (begin === undefined || name !== 'before') return begin ?? day;
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return timeOfField(next.toISOString().slice(0, 10), zone) ?? day;
}

export function auditFilter(search: SearchOf<'/frame/settings/audit'>, zone: Zone): string {
  return AUDIT_FILTERS.flatMap((name) => {
    const value = search[name]?.trim();
    if (value === undefined || value === '') return [];
    return [`${name}:${name === 'after' || name === 'before' ? timeOf(name, value, zone) : escaped(value)}`];
  }).join(',');
}

export const auditPages = (filterBy: string) => pagesOf('listAuditLog', { query: { filterBy } });

const EXPORT_PAGE = 1_000;

/** Reads all matching entries, page after page, until the signal is aborted. `onCount` gets the number read so far. */
export async function allEntries(
  filterBy: string,
  signal: AbortSignal,
  onCount: (count: number) => void,
): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  const query = { limit: EXPORT_PAGE, ...(filterBy === '' ? {} : { filterBy }) };
  try {
    for await (const entry of client.paginate('listAuditLog', { query, signal })) {
      entries.push(entry);
      if (entries.length % EXPORT_PAGE === 0) onCount(entries.length);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return entries;
}
