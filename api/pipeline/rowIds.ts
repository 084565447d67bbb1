import { isUuid } from '../../domain/isUuid.ts';
import { OBJECT } from '../../prisma/store/object/resource.ts';
import { OBJECT_TYPE } from '../../prisma/store/objectType/resource.ts';
import { notFound } from '../../prisma/store/readResource.ts';
import { RESOURCES } from '../../prisma/store/resourceTables.ts';
import type { Route } from '../openapi.ts';
import { paramOf } from '../resources/resourceRequest.ts';

/** Nouns for path ids in problem texts: of resources, and of parts without a table of their own. */
const NOUNS: ReadonlyMap<string, string> = new Map([
  ['stepId', 'step'],
  ['entityTypeId', OBJECT_TYPE.noun],
  ['objectId', OBJECT.noun],
  ...[...RESOURCES.values()]
    .filter(({ param }) => param !== 'id')
    .map((resource) => [paramOf(resource), resource.noun] as const),
]);

/** Answers NOT_FOUND for a path id that is not a UUID, as for an unknown one. */
export function requireRowIds(
  { rowIds, resource }: Pick<Route, 'rowIds' | 'resource'>,
  params: Record<string, string>,
): void {
  if (rowIds.every((name) => isUuid(params[name] ?? ''))) return;
  // The last id of the path names the resource: a step of an unknown execution is an unknown step.
  const asked = rowIds.at(-1) ?? '';
  const read = RESOURCES.get(resource ?? '');
  // A version has a number below an id.
  const isBelow = read?.param !== undefined && read.param in params && !rowIds.includes(read.param);
  const own = asked === 'id' || isBelow ? read?.noun : undefined;
  throw notFound({ noun: own ?? NOUNS.get(asked) ?? asked.replace(/Id$/, '') });
}
