import { OBJECT } from '../../prisma/store/object/resource.ts';
import { OBJECT_TYPE } from '../../prisma/store/objectType/resource.ts';
import { notFound } from '../../prisma/store/readResource.ts';
import { isUuid } from '../../prisma/store/resource.ts';
import { RESOURCES } from '../../prisma/store/resourceTables.ts';
import type { Route } from '../openapi.ts';
import { paramOf } from '../resources/resourceRequest.ts';

/** How problems speak of what a path's id names: the resources', and parts that have no table of their own. */
const NOUNS: ReadonlyMap<string, string> = new Map([
  ['stepId', 'step'],
  ['entityTypeId', OBJECT_TYPE.noun],
  ['objectId', OBJECT.noun],
  ...[...RESOURCES.values()]
    .filter(({ param }) => param !== 'id')
    .map((resource) => [paramOf(resource), resource.noun] as const),
]);

/**
 * An id of a path that is no UUID (`format: uuid` in openapi.yaml) names nothing: NOT_FOUND, the same answer as for one
 * that does not exist. Operations and store functions get ids alone.
 */
export function requireRowIds(
  { rowIds, resource }: Pick<Route, 'rowIds' | 'resource'>,
  params: Record<string, string>,
): void {
  if (rowIds.every((name) => isUuid(params[name] ?? ''))) return;
  // What is asked for is the last: a step of an execution that does not exist does not exist.
  const asked = rowIds.at(-1) ?? '';
  const own = asked === 'id' ? RESOURCES.get(resource ?? '')?.noun : undefined;
  throw notFound({ noun: own ?? NOUNS.get(asked) ?? asked.replace(/Id$/, '') });
}
