import { appLimits, readApp } from '../../../domain/app/customManifest.ts';
import { Problem, type ProblemDetail } from '../../../domain/problem.ts';
import { giveAppSecrets, makeAppSecrets, openAppSecret } from '../../../engine/apps/appSecrets.ts';
import { upsertApp as upsert } from '../../../prisma/store/app/upsertApp.ts';
import { PROJECT } from '../../../prisma/store/project/resource.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import { withRowTag } from '../../../prisma/store/rowTag.ts';
import { userIdOf } from '../../access/caller.ts';
import type { Operation } from '../../operation.ts';
import type { Services } from '../../services.ts';
import { runsProblems } from './runsProblems.ts';

/** The project of the path must exist; the app belongs to the workspace. */
export const upsertApp: Operation<'upsertApp'> = async ({ caller, params, body, resourceId, services, expected }) => {
  const { catalogue, config, database } = services;
  const { workspaceId } = caller;
  // An import may be sent as it is.
  const { managedByCode = true, leftOut: _, ...given } = body;
  const { app, secret: givenSecret, problems } = readApp(given, appLimits(config), catalogue);
  if (!app) throw refused(problems);
  await readResource(database, caller, PROJECT, params.projectId);
  const ofRuns = await runsProblems(services, workspaceId, app.custom.runs);
  if (ofRuns.length > 0) throw refused(ofRuns);
  const change = { id: resourceId, app, managedByCode, createdByUserId: userIdOf(caller), expected };
  const { tag, ...stored } = await upsert(database, workspaceId, change, config);
  const created = stored.id === resourceId;
  const secret =
    app.custom.runs.on === 'http' ? await signedBy(services, workspaceId, stored.id, givenSecret, created) : undefined;
  return withRowTag({ ...stored, created, ...(secret === undefined ? {} : { secret }) }, tag);
};

/** Returns the secret if this request has made it. A repeated request that created the app reads what it made. */
async function signedBy(
  services: Pick<Services, 'database' | 'sealer'>,
  workspaceId: string,
  appId: string,
  given: string | undefined,
  created: boolean,
): Promise<string | undefined> {
  if (given !== undefined) {
    await giveAppSecrets(services, workspaceId, [{ appId, secret: given }]);
    return undefined;
  }
  const made = await makeAppSecrets(services, workspaceId, [appId]);
  return made.get(appId) ?? (created ? openAppSecret(services, { workspaceId, appId }) : undefined);
}

function refused(errors: ProblemDetail[]): Problem {
  return new Problem('VALIDATION_FAILED', 'The app is not valid', { errors });
}
