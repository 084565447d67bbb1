import { isProblem } from '#client';
import { isJsonObject } from '../../domain/json.ts';
import { printable } from '../output.ts';
import type { Place } from '../place.ts';
import type { Applied, Bundle } from '../planOf.ts';
import { takeRows } from '../takeRows.ts';
import { changedIn } from './planText.ts';

export interface AppliedWorkflow {
  slug: string;
  id: string;
  /** For a webhook trigger. */
  webhook?: string;
  /** For an active schedule. */
  next?: string;
}

const MAX_READ = 1_000;

/** Reads ids, webhook addresses and next starts of the applied workflows; none if the caller may not read them. */
export async function appliedWorkflows(
  { client, url }: Place,
  projectId: string,
  { resources }: Bundle,
  applied: Applied,
): Promise<AppliedWorkflow[]> {
  const isGone = ({ action }: Applied['plan'][number]) => action === 'delete';
  const slugs = new Set(
    changedIn(applied).flatMap((entry) => (entry.kind === 'workflow' && !isGone(entry) ? [entry.slug] : [])),
  );
  if (slugs.size === 0) return [];
  const query = { filterBy: `projectId:${projectId}`, expansion: 'slug,nextScheduledExecution' };
  const rows = await takeRows(client.paginate('listWorkflows', { query }), MAX_READ).catch((error: unknown) => {
    if (isProblem(error) && error.status === 403) return [];
    throw error;
  });
  const hooks = new Set(
    resources.flatMap(({ kind, slug, trigger }) =>
      kind === 'workflow' && isJsonObject(trigger) && trigger.type === 'webhook' ? [slug] : [],
    ),
  );
  return rows.flatMap(({ id, slug, nextScheduledExecution: next }) => {
    if (!slug || !slugs.has(slug)) return [];
    const webhook = hooks.has(slug) ? { webhook: `${url.replace(/\/$/, '')}/api/webhooks/workflows/${id}` } : {};
    return [{ slug, id, ...webhook, ...(next ? { next } : {}) }];
  });
}

export function workflowText({ slug, id, webhook, next }: AppliedWorkflow): string {
  const more = [webhook && `webhook ${webhook}`, next && `next start ${next}`]
    .filter(Boolean)
    .map((each) => `  ${each}`);
  return `  workflow ${printable(slug)}  ${id}${more.join('')}`;
}
