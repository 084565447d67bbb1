import type { Catalogue } from '../../domain/app/manifest.ts';
import { findAction } from '../../domain/app/manifest.ts';
import { isJsonObject, type Json } from '../../domain/json.ts';

/** Steps with the icon of their action, or of its app. */
export function withIcons(catalogue: Catalogue, executionPath: Json): Json {
  if (!Array.isArray(executionPath)) return executionPath;
  return executionPath.map((step) => {
    if (!isJsonObject(step) || typeof step.appId !== 'string') return step;
    const icon = findAction(catalogue, step.appId, String(step.actionId))?.icon ?? catalogue.get(step.appId)?.icon;
    return icon === undefined ? step : { ...step, icon };
  });
}
