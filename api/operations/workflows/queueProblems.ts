import { isUuid } from '../../../domain/isUuid.ts';
import { isJsonObject } from '../../../domain/json.ts';
import type { ProblemDetail } from '../../../domain/problem.ts';
import { hasQueue } from '../../../prisma/store/queue/requireWritable.ts';
import type { Services } from '../../services.ts';

export async function queueProblems(
  { database }: Services,
  workspaceId: string,
  trigger: unknown,
): Promise<ProblemDetail[]> {
  if (!isJsonObject(trigger) || trigger.type !== 'queue' || !isJsonObject(trigger.config)) return [];
  const { queueId } = trigger.config;
  if (typeof queueId !== 'string' || !isUuid(queueId) || (await hasQueue(database, workspaceId, queueId))) return [];
  return [{ path: 'trigger.config.queueId', message: `there is no queue ${queueId}` }];
}
