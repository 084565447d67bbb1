import type { ActionManifest, AppManifest } from '../../../domain/app/manifest.ts';
import type { Operation } from '../../operation.ts';

/** The full catalogue. */
export const listWorkflowApps: Operation<'listWorkflowApps'> = async ({ services: { catalogue } }) =>
  [...catalogue.values()].map(appAnswer);

function appAnswer(app: AppManifest) {
  const { appId, name, description, icon, categories, connectionTypes, actions, triggers } = app;
  return {
    appId,
    name,
    description,
    icon,
    categories,
    connectionTypes,
    actions: actions.map((action) => actionAnswer(app, action)),
    triggers,
  };
}

/** Where an action runs and how long it may take is the engine's matter. */
function actionAnswer(app: AppManifest, action: ActionManifest) {
  const { actionId, name, description, icon, inputConfig, outputExample, requiresConnection } = action;
  return {
    actionId,
    name,
    description,
    icon: icon ?? app.icon,
    inputConfig,
    ...(outputExample === undefined ? {} : { outputExample }),
    requiresConnection,
  };
}
