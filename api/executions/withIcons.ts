import { CUSTOM_ICON } from '../../domain/app/customIcon.ts';
import type { Catalogue } from '../../domain/app/manifest.ts';
import { findAction } from '../../domain/app/manifest.ts';
import { isJsonObject, type Json } from '../../domain/json.ts';

export function withIcons(catalogue: Catalogue, executionPath: Json): Json {
  return Array.isArray(executionPath) ? executionPath.map((step) => withIcon(catalogue, step)) : executionPath;
}

export function withIcon(catalogue: Catalogue, step: Json): Json {
  if (!isJsonObject(step) || typeof step.appId !== 'string') return step;
  const icon =
    findAction(catalogue, step.appId, String(step.actionId))?.icon ?? catalogue.get(step.appId)?.icon ?? CUSTOM_ICON;
  return icon === undefined ? step : { ...step, icon };
}
