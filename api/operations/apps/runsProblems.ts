import { contentDigest } from '../../../domain/app/customRuns.ts';
import type { RunsOn } from '../../../domain/app/runsOn.ts';
import { queueRefusal } from '../../../domain/app/workerQueues.ts';
import { pathTo } from '../../../domain/place.ts';
import type { ProblemDetail } from '../../../domain/problem.ts';
import { keepContents } from '../../../prisma/store/app/contents.ts';
import { isOnlyWorkspace } from '../../../prisma/store/execution/workerSteps.ts';
import type { Services } from '../../services.ts';
import { requireRunner } from './requireRunner.ts';

type Needed = Pick<Services, 'config' | 'database'>;

/** Reports why an app of the workspace cannot run there. Throws RUNNER_OFF. */
export async function runsProblems(services: Needed, workspaceId: string, runs: RunsOn): Promise<ProblemDetail[]> {
  requireRunner(services.config, runs);
  return [
    ...(await queueProblems(services, workspaceId, runs)),
    ...(await missingContent(services, workspaceId, runs)),
  ];
}

async function queueProblems(
  { config, database }: Needed,
  workspaceId: string,
  runs: RunsOn,
): Promise<ProblemDetail[]> {
  if (runs.on !== 'worker') return [];
  const rules = { grants: config.WORKER_TASK_QUEUES, ownQueue: config.TEMPORAL_TASK_QUEUE };
  const of = { workspaceId, isOnlyWorkspace: await isOnlyWorkspace(database) };
  const message = queueRefusal(runs.taskQueue, rules, of);
  return message === undefined ? [] : [{ path: pathTo('runs', 'taskQueue'), message }];
}

/** Reports a document or bundle that was not uploaded. Keeps an uploaded one from being deleted meanwhile. */
async function missingContent({ database }: Needed, workspaceId: string, runs: RunsOn): Promise<ProblemDetail[]> {
  const content = contentDigest(runs);
  if (!content) return [];
  const kept = await keepContents(database, workspaceId, [content.digest]);
  if (kept.has(content.digest)) return [];
  return [{ path: pathTo('runs', content.member), message: 'upload the content of this digest first' }];
}
