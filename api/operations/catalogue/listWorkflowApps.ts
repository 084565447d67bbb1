import type { ActionManifest, AppManifest } from '../../../domain/app/manifest.ts';
import { Problem } from '../../../domain/problem.ts';
import { pageOfAll } from '../../../prisma/store/pageOfAll.ts';
import { type Operation, Page } from '../../operation.ts';
import { workersOfApp } from './workersOfApp.ts';

export const listWorkflowApps: Operation<'listWorkflowApps'> = async ({ query, services: { catalogue } }) => {
  const { items, nextCursor } = pageOfAll('apps', [...catalogue.values()], ({ appId }) => appId, query);
  return new Page(items.map(appAnswer), nextCursor);
};

export const getWorkflowApp: Operation<'getWorkflowApp'> = async ({ params, services }) => {
  const app = services.catalogue.get(params.appId);
  if (!app) throw new Problem('NOT_FOUND', 'The app does not exist');
  const workers = await workersOfApp(services, app);
  return { ...appAnswer(app), ...(workers ? { workers } : {}) };
};

function appAnswer(app: AppManifest) {
  const { appId, name, description, icon, categories, connectionTypes, actions, triggers, custom } = app;
  return {
    appId,
    name,
    description,
    icon,
    categories,
    isCustom: custom !== undefined,
    ...(custom ? { runsOn: custom.runs.on, digest: custom.digest } : {}),
    connectionTypes: connectionTypes.map(({ oauth2: _, ...type }) => type),
    actions: actions.map((action) => actionAnswer(app, action)),
    triggers,
  };
}

/** Leaves out placement and timeouts, which only concern the engine. */
function actionAnswer(app: AppManifest, action: ActionManifest) {
  const { actionId, name, description, icon, inputConfig, outputExample, outputSchema } = action;
  const { effect, repeatable, requiresConnection, permissions } = action;
  return {
    actionId,
    name,
    description,
    icon: icon ?? app.icon,
    inputConfig,
    ...(outputExample === undefined ? {} : { outputExample }),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    effect,
    repeatable,
    requiresConnection,
    permissions,
  };
}
