import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Database } from '../../prisma/client.ts';
import { slugOfWorkflow } from '../../prisma/store/workflow/slugOfWorkflow.ts';
import type { WorkflowName } from './metrics.ts';

const MAX_NAMES = 10_000;
const REMEMBERED_MS = 300_000;

/** Returns a lookup of slugs in `slugs`. A slug may change, so names are cached for a few minutes. */
export function workflowNames(database: Database, slugs: readonly string[], log: Logger): WorkflowName {
  const named = new Set(slugs);
  const known = new LRUCache<string, string>({
    max: MAX_NAMES,
    ttl: REMEMBERED_MS,
    async fetchMethod(workflowId) {
      const slug = await slugOfWorkflow(database, workflowId);
      return slug !== undefined && named.has(slug) ? slug : '';
    },
  });
  return async (workflowId) => {
    if (workflowId === undefined) return '';
    try {
      return (await known.fetch(workflowId)) ?? '';
    } catch (error) {
      log.warn({ err: error, workflowId }, 'an execution is counted without the name of its workflow');
      return '';
    }
  };
}
