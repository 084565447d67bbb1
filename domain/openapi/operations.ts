import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { pathTo } from '../place.ts';
import { FreeNames } from './freeNames.ts';
import type { References } from './references.ts';

/** Without trace, which is for debugging proxies. */
export const OPERATION_METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;
export type OperationMethod = (typeof OPERATION_METHODS)[number];

export interface FoundOperation {
  /** The operationId, with `_` for characters that ids of actions cannot have. Without one: method and path. */
  actionId: string;
  method: OperationMethod;
  path: string;
  operation: JsonObject;
  place: string;
  /** The path item, whose parameters and servers apply too. */
  item: JsonObject;
  itemPlace: string;
}

const MAX_ACTION_ID = 128;

/** In the order of the document. A later operation with the id of an earlier one gets a number. */
export function operationsOf(document: JsonObject, references: References): FoundOperation[] {
  const paths = isJsonObject(document.paths) ? document.paths : {};
  const names = new FreeNames(MAX_ACTION_ID);
  return Object.entries(paths).flatMap(([path, given]) => {
    if (!path.startsWith('/')) return [];
    const item = references.follow(given, pathTo('paths', path));
    if (!item) return [];
    return OPERATION_METHODS.flatMap((method): FoundOperation[] => {
      const operation = item.value[method];
      if (!isJsonObject(operation)) return [];
      const actionId = names.take(actionIdOf(operation.operationId, method, path));
      const place = pathTo(item.place, method);
      return [{ actionId, method, path, operation, place, item: item.value, itemPlace: item.place }];
    });
  });
}

function actionIdOf(operationId: Json | undefined, method: string, path: string): string {
  const given = typeof operationId === 'string' ? operationId.replace(/[^A-Za-z0-9_./:@#$~+-]+/g, '_') : '';
  if (/^[A-Za-z0-9_]/.test(given)) return given;
  return `${method}${path}`.replace(/[^A-Za-z0-9]+/g, '_').replace(/_$/, '');
}
