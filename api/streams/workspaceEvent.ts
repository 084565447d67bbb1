import { isGrantOnly } from '../../domain/access/viewer.ts';
import type { ChangedTask, Changes } from '../../prisma/store/stream/readChanges.ts';
import type { Caller } from '../access/caller.ts';

export interface WorkspaceNews {
  name: string;
  data: object;
  maySee(caller: Caller): boolean;
  /** Set for events that are sent once while it is remembered. Undefined: each change is sent. */
  once?: string;
}

const withPermission = (permission: 'executions:read' | 'queues:read' | 'objects:read') => (caller: Caller) =>
  caller.permissions.has(permission);

const seesExecutions = withPermission('executions:read');
export const seesQueues = withPermission('queues:read');
const seesObjects = withPermission('objects:read');

export function executionNews({ id, status, workflowId }: Changes['executions'][number]): WorkspaceNews {
  return { name: 'execution.changed', data: { id, status, workflowId }, maySee: seesExecutions };
}

export function questionNews({ executionId, stepId, isOpen }: Changes['questions'][number]): WorkspaceNews {
  const name = isOpen ? 'question.opened' : 'question.closed';
  return { name, data: { executionId, stepId }, maySee: seesExecutions, once: `${name} ${stepId}` };
}

export function queueNews(queueId: string): WorkspaceNews {
  return { name: 'queue.changed', data: { queueId }, maySee: seesQueues };
}

export function objectNews({ id, objectTypeSlug }: Changes['objects'][number]): WorkspaceNews {
  return { name: 'object.changed', data: { id, objectTypeSlug }, maySee: seesObjects };
}

export function taskNews(task: ChangedTask): WorkspaceNews {
  const { taskId, agentId, runId, status } = task;
  return {
    name: 'task.changed',
    data: { taskId, agentId, status },
    maySee: (caller) => seesTask(caller, task),
    once: `${runId} ${status}`,
  };
}

/** As lists of tasks show them, and for an agent that the caller may currently use. */
function seesTask(caller: Caller, { userId, apiKeyId }: ChangedTask): boolean {
  if (!isGrantOnly(caller)) return caller.permissions.has('agents:read');
  return caller.kind === 'user' ? caller.userId === userId : caller.apiKeyId === apiKeyId;
}
