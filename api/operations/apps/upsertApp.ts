import type { CustomApp } from '../../../domain/app/customApp.ts';
import { appLimits, readApp } from '../../../domain/app/customManifest.ts';
import type { RunsOn } from '../../../domain/app/runsOn.ts';
import { queueRefusal } from '../../../domain/app/workerQueues.ts';
import { isSigningSecret } from '../../../domain/event/signedMessage.ts';
import { pathTo } from '../../../domain/place.ts';
import { Problem, type ProblemDetail } from '../../../domain/problem.ts';
import { giveAppSecret, makeAppSecret, openAppSecret } from '../../../engine/apps/appSecrets.ts';
import { upsertApp as upsert } from '../../../prisma/store/app/upsertApp.ts';
import { isOnlyWorkspace } from '../../../prisma/store/execution/workerSteps.ts';
import { PROJECT } from '../../../prisma/store/project/resource.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import { withRowTag } from '../../../prisma/store/rowTag.ts';
import { userIdOf } from '../../access/caller.ts';
import type { Operation } from '../../operation.ts';
import type { Services } from '../../services.ts';
import { missingContent } from './missingContent.ts';
import { requireRunner } from './requireRunner.ts';

/** The project of the path must exist; the app belongs to the workspace. */
export const upsertApp: Operation<'upsertApp'> = async ({ caller, params, body, resourceId, services, expected }) => {
  const { catalogue, config, database } = services;
  const { workspaceId } = caller;
  // An import may be sent as it is.
  const { managedByCode = true, secret: givenSecret, leftOut: _, ...given } = body;
  const { app, problems } = readApp(given, appLimits(config), catalogue);
  const wrongSecret = secretProblems(givenSecret, app);
  if (!app || wrongSecret.length > 0) throw refused([...problems, ...wrongSecret]);
  requireRunner(config, app.custom.runs);
  await readResource(database, caller, PROJECT, params.projectId);
  await checkQueue(services, workspaceId, app.custom.runs);
  const missing = await missingContent(services, workspaceId, app.custom.runs);
  if (missing.length > 0) throw refused(missing);
  const change = { id: resourceId, app, managedByCode, createdByUserId: userIdOf(caller), expected };
  const { tag, ...stored } = await upsert(database, workspaceId, change, config.MAX_APPS);
  const created = stored.id === resourceId;
  const secret =
    app.custom.runs.on === 'http' ? await signedBy(services, workspaceId, stored.id, givenSecret, created) : undefined;
  return withRowTag({ ...stored, created, ...(secret === undefined ? {} : { secret }) }, tag);
};

async function checkQueue({ config, database }: Services, workspaceId: string, runs: RunsOn): Promise<void> {
  if (runs.on !== 'worker') return;
  const rules = { grants: config.WORKER_TASK_QUEUES, ownQueue: config.TEMPORAL_TASK_QUEUE };
  const of = { workspaceId, isOnlyWorkspace: await isOnlyWorkspace(database) };
  const message = queueRefusal(runs.taskQueue, rules, of);
  if (message !== undefined) throw refused([{ path: pathTo('runs', 'taskQueue'), message }]);
}

function secretProblems(secret: string | undefined, app: CustomApp | undefined): ProblemDetail[] {
  if (secret === undefined) return [];
  if (app && app.custom.runs.on !== 'http')
    return [{ path: 'secret', message: 'expected none: only http apps have one' }];
  return isSigningSecret(secret) ? [] : [{ path: 'secret', message: 'expected whsec_ and 24 to 64 bytes in base64' }];
}

/** Returns the secret if this request has made it. A repeated request that created the app reads what it made. */
async function signedBy(
  services: Pick<Services, 'database' | 'sealer'>,
  workspaceId: string,
  appId: string,
  given: string | undefined,
  created: boolean,
): Promise<string | undefined> {
  if (given !== undefined) {
    await giveAppSecret(services, { workspaceId, appId, secret: given });
    return undefined;
  }
  const made = await makeAppSecret(services, { workspaceId, appId });
  return made ?? (created ? openAppSecret(services, { workspaceId, appId }) : undefined);
}

function refused(errors: ProblemDetail[]): Problem {
  return new Problem('VALIDATION_FAILED', 'The app is not valid', { errors });
}
