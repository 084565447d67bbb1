import { refuse } from '../../../domain/object/checkObject.ts';
import type { ObjectTypeName } from '../../../prisma/store/objectType/readObjectType.ts';

export function namedType({
  objectTypeId,
  objectTypeSlug,
}: {
  objectTypeId?: string;
  objectTypeSlug?: string;
}): ObjectTypeName {
  if (objectTypeId !== undefined && objectTypeSlug === undefined) return { id: objectTypeId };
  if (objectTypeSlug !== undefined && objectTypeId === undefined) return { slug: objectTypeSlug };
  const message =
    objectTypeId === undefined
      ? 'required: expected objectTypeId or objectTypeSlug'
      : 'expected either objectTypeId or objectTypeSlug, not both';
  return refuse('VALIDATION_FAILED', [{ path: 'objectTypeId', message }]);
}
