import type { ActionManifest, AppManifest } from '../../../domain/app/manifest.ts';
import { pageOfAll } from '../../../prisma/store/pageOfAll.ts';
import { type Operation, Page } from '../../operation.ts';

export const listWorkflowApps: Operation<'listWorkflowApps'> = async ({ query, services: { catalogue } }) => {
  const { items, nextCursor } = pageOfAll('apps', [...catalogue.values()], ({ appId }) => appId, query);
  return new Page(items.map(appAnswer), nextCursor);
};

function appAnswer(app: AppManifest) {
  const { appId, name, description, icon, categories, connectionTypes, actions, triggers } = app;
  return {
    appId,
    name,
    description,
    icon,
    categories,
    connectionTypes: connectionTypes.map(({ oauth2: _, ...type }) => type),
    actions: actions.map((action) => actionAnswer(app, action)),
    triggers,
  };
}

/** Leaves out placement and timeouts, which only concern the engine. */
function actionAnswer(app: AppManifest, action: ActionManifest) {
  const { actionId, name, description, icon, inputConfig, outputExample, outputSchema } = action;
  const { requiresConnection, permissions } = action;
  return {
    actionId,
    name,
    description,
    icon: icon ?? app.icon,
    inputConfig,
    ...(outputExample === undefined ? {} : { outputExample }),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    requiresConnection,
    permissions,
  };
}
