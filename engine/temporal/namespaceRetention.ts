import { type Client, isGrpcServiceError } from '@temporalio/client';
import type { Logger } from 'pino';

const DAY_S = 86_400;

/** Returns the retention of ended workflows in days; undefined if the server does not report it. */
export async function namespaceRetentionDays(client: Client, namespace: string): Promise<number | undefined> {
  try {
    const { config } = await client.workflowService.describeNamespace({ namespace });
    const seconds = config?.workflowExecutionRetentionTtl?.seconds;
    return seconds === undefined || seconds === null ? undefined : Number(seconds) / DAY_S;
  } catch (error) {
    if (isGrpcServiceError(error)) return undefined;
    throw error;
  }
}

/**
 * Warns if rows are deleted before Temporal forgets their workflows. A derived id, e.g. of an item that a poll finds
 * again, would be accepted again and end like the old workflow, without a step.
 */
export async function compareRetention(
  client: Client,
  namespace: string,
  executionDays: number,
  log: Logger,
): Promise<void> {
  if (executionDays === 0) return;
  const days = await namespaceRetentionDays(client, namespace);
  if (days === undefined || days <= executionDays) return;
  log.warn(
    { EXECUTION_RETENTION_DAYS: executionDays, namespace, namespaceDays: days },
    'EXECUTION_RETENTION_DAYS is shorter than the retention of the Temporal namespace: see docs/settings.md',
  );
}
