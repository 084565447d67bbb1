import { z } from 'zod';

/** An entry of WORKER_TASK_QUEUES. `*` in the pattern matches any characters. */
export const QUEUE_GRANT = z.strictObject({ pattern: z.string().min(1).max(1_000), workspaceId: z.uuid().optional() });
export type QueueGrant = z.output<typeof QUEUE_GRANT>;

export const MAX_QUEUE_LENGTH = 200;

export interface QueueRules {
  /** WORKER_TASK_QUEUES. */
  grants: readonly QueueGrant[] | undefined;
  /** The queue of Perdure's own workers. */
  ownQueue: string;
}

/** Returns why apps of the workspace may not name the queue; undefined if they may. */
export function queueRefusal(
  taskQueue: string,
  { grants, ownQueue }: QueueRules,
  { workspaceId, isOnlyWorkspace }: { workspaceId: string; isOnlyWorkspace: boolean },
): string | undefined {
  if (taskQueue === '' || taskQueue.length > MAX_QUEUE_LENGTH) return `expected 1 to ${MAX_QUEUE_LENGTH} characters`;
  if (isOurs(taskQueue, ownQueue)) return `the queue ${taskQueue} belongs to Perdure or to Temporal itself`;
  if (grants === undefined) {
    if (isOnlyWorkspace) return undefined;
    return 'the deployment has several workspaces, so its operator must list the queue in WORKER_TASK_QUEUES';
  }
  const isGranted = grants.some(
    (grant) => (grant.workspaceId ?? workspaceId).toLowerCase() === workspaceId && fits(taskQueue, grant.pattern),
  );
  return isGranted ? undefined : `WORKER_TASK_QUEUES does not give the queue ${taskQueue} to this workspace`;
}

/** Perdure's queues begin with the name of its own; Temporal reserves the other prefixes. */
function isOurs(taskQueue: string, ownQueue: string): boolean {
  return [ownQueue, 'temporal-sys-', '/_sys/', '__temporal_', '/__temporal_'].some((prefix) =>
    taskQueue.startsWith(prefix),
  );
}

function fits(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return text === pattern;
  const last = rest.pop() ?? '';
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}
