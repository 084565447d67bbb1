import { appLimits, readApp } from '../../../domain/app/customManifest.ts';
import { contentDigest } from '../../../domain/app/customRuns.ts';
import type { RunsOn } from '../../../domain/app/runsOn.ts';
import { queueRefusal } from '../../../domain/app/workerQueues.ts';
import { pathTo } from '../../../domain/place.ts';
import { Problem, type ProblemDetail } from '../../../domain/problem.ts';
import { keepContents } from '../../../prisma/store/app/contents.ts';
import { upsertApp as upsert } from '../../../prisma/store/app/upsertApp.ts';
import { isOnlyWorkspace } from '../../../prisma/store/execution/workerSteps.ts';
import { PROJECT } from '../../../prisma/store/project/resource.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import { withRowTag } from '../../../prisma/store/rowTag.ts';
import { userIdOf } from '../../access/caller.ts';
import type { Operation } from '../../operation.ts';
import type { Services } from '../../services.ts';

/** The project of the path must exist; the app belongs to the workspace. */
export const upsertApp: Operation<'upsertApp'> = async ({ caller, params, body, resourceId, services, expected }) => {
  const { catalogue, config, database } = services;
  const { workspaceId } = caller;
  const { managedByCode = true, ...given } = body;
  const { app, problems } = readApp(given, appLimits(config), catalogue);
  if (!app) throw refused(problems);
  await readResource(database, caller, PROJECT, params.projectId);
  await checkQueue(services, workspaceId, app.custom.runs);
  const content = contentDigest(app.custom.runs);
  if (content) {
    const kept = await keepContents(database, workspaceId, [content.digest]);
    if (!kept.has(content.digest)) {
      throw refused([{ path: pathTo('runs', content.member), message: 'upload the content of this digest first' }]);
    }
  }
  const change = { id: resourceId, app, managedByCode, createdByUserId: userIdOf(caller), expected };
  const { tag, ...stored } = await upsert(database, workspaceId, change, config.MAX_APPS);
  return withRowTag({ ...stored, created: stored.id === resourceId }, tag);
};

async function checkQueue({ config, database }: Services, workspaceId: string, runs: RunsOn): Promise<void> {
  if (runs.on !== 'worker') return;
  const rules = { grants: config.WORKER_TASK_QUEUES, ownQueue: config.TEMPORAL_TASK_QUEUE };
  const of = { workspaceId, isOnlyWorkspace: await isOnlyWorkspace(database) };
  const message = queueRefusal(runs.taskQueue, rules, of);
  if (message !== undefined) throw refused([{ path: pathTo('runs', 'taskQueue'), message }]);
}

function refused(errors: ProblemDetail[]): Problem {
  return new Problem('VALIDATION_FAILED', 'The app is not valid', { errors });
}
