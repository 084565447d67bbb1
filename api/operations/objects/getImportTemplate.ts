import { compiledType } from '../../../domain/object/compiledTypes.ts';
import { referencedTypes } from '../../../domain/object/subschemas.ts';
import { sampleObjects } from '../../../prisma/store/object/sampleObjects.ts';
import { readObjectType } from '../../../prisma/store/objectType/readObjectType.ts';
import { OBJECT_TYPE } from '../../../prisma/store/objectType/resource.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import type { Operation } from '../../operation.ts';

export const getImportTemplate: Operation<'getImportTemplate'> = async ({ caller, params, services }) => {
  const { database } = services;
  const type = await readObjectType(database, caller.workspaceId, { id: params.entityTypeId });
  if (!type) throw notFound(OBJECT_TYPE);
  const rules = compiledType(type.id, type.version, type.rules);
  const known = await sampleObjects(database, caller.workspaceId, referencedTypes(rules.attributeSchema));
  return services.evaluation.template(caller.workspaceId, type.name, rules, known);
};
