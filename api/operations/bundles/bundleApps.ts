import { appFields } from '../../../domain/app/appFields.ts';
import { appLimits, readApp } from '../../../domain/app/customManifest.ts';
import type { Move } from '../../../domain/bundle/moves.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Services } from '../../services.ts';
import { runsProblems } from '../apps/runsProblems.ts';
import { type Checked, type Checking, type GivenResource, wrong } from './resourceCheck.ts';

/** Returns the services with the apps of a bundle in their catalogue, under their new slugs. */
export function withBundleApps<S extends Pick<Services, 'catalogue' | 'config'>>(
  services: S,
  resources: readonly { kind: string; slug: string }[],
  moves: readonly Move[] = [],
): S {
  const given = resources.filter(({ kind }) => kind === 'app');
  const former = moves.filter(({ kind }) => kind === 'app');
  if (given.length + former.length === 0) return services;
  const catalogue = new Map(services.catalogue);
  for (const { from } of former) if (catalogue.get(from)?.custom) catalogue.delete(from);
  // A secret with an unset name of the environment must not hide the app from its workflows.
  for (const { kind: _, secret: __, ...manifest } of given as readonly JsonObject[]) {
    const { app } = readApp(manifest, appLimits(services.config), services.catalogue);
    if (app) catalogue.set(app.appId, app);
  }
  return { ...services, catalogue };
}

export async function checkApp({ slug, body }: GivenResource, { services, caller }: Checking): Promise<Checked> {
  const { app, problems } = readApp({ ...body, slug }, appLimits(services.config), services.catalogue);
  if (!app) return wrong(problems);
  const ofRuns = await runsProblems(services, caller.workspaceId, app.custom.runs);
  return ofRuns.length > 0 ? wrong(ofRuns) : { problems: [], needs: [], fields: appFields(app) };
}
