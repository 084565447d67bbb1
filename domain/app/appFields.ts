import { isEqualJson } from '../isEqualJson.ts';
import type { Json, JsonObject } from '../json.ts';
import type { CustomApp } from './customApp.ts';

/** Returns the fields of an upsert that makes this app, without its slug. */
export function appFields({ name, description, connectionTypes, actions, custom }: CustomApp): JsonObject {
  const given = actions.map(({ permissions: _, placement: __, ...action }) => action);
  return { name, description, runs: custom.runs, connectionTypes, actions: given } as unknown as JsonObject;
}

const APP_DEFAULTS: JsonObject = { description: '', connectionTypes: [] };
const ACTION_DEFAULTS: JsonObject = {
  ...{ description: '', inputConfig: { fields: [] }, effect: 'write', repeatable: false, requiresConnection: false },
};

/** Removes what an upsert adds, as people write it. */
export function withoutAppDefaults({ actions, ...fields }: JsonObject): JsonObject {
  const list = (actions as JsonObject[]).map(({ repeatable = false, ...action }) =>
    without(ACTION_DEFAULTS, action.effect === 'read' ? action : { ...action, repeatable }),
  );
  return { ...without(APP_DEFAULTS, fields), actions: list };
}

function without(defaults: JsonObject, fields: JsonObject): JsonObject {
  const kept = Object.entries(fields).filter(([key, value]) => !isEqualJson(value, defaults[key] as Json));
  return Object.fromEntries(kept);
}
