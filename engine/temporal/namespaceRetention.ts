import { type Client, isGrpcServiceError } from '@temporalio/client';
import type { Logger } from 'pino';

const DAY_S = 86_400;

/** Days for which the namespace keeps ended workflows; undefined if the server does not say, or may not say it to us. */
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
 * Says so where rows are deleted before Temporal forgets their workflows: an id that is derived, of an item that a poll finds
 * again, say, would be accepted again, and end as the workflow of that id has ended, without a step.
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
