import { refuse } from '../../../domain/object/checkObject.ts';
import { compiledType } from '../../../domain/object/compiledTypes.ts';
import type { Reading } from '../../../engine/fairness/fairPlaces.ts';
import { exportRows } from '../../../engine/objects/exportRows.ts';
import { readObjectType } from '../../../prisma/store/objectType/readObjectType.ts';
import { OBJECT_TYPE } from '../../../prisma/store/objectType/resource.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import { JsonRows, type Operation } from '../../operation.ts';
import { namedType } from './namedType.ts';

export const exportObjects: Operation<'exportObjects'> = async ({ caller, body, reading, services }) => {
  const { database } = services;
  const { fields = [], includeRelatedEntityNames: withNames = false, states, search } = body;
  const type = await reading(() => readObjectType(database, caller.workspaceId, namedType(body)));
  if (!type) throw notFound(OBJECT_TYPE);
  const { knows } = compiledType(type.id, type.version, type.rules);
  const unknown = fields.flatMap((name, index) =>
    knows(name) || MEMBERS.has(name)
      ? []
      : [{ path: `fields[${index}]`, message: 'is not an attribute of the entity type' }],
  );
  if (unknown.length > 0) refuse('VALIDATION_FAILED', unknown);
  return new JsonRows(eachRead(reading, exportRows(database, caller, type, { fields, withNames, states, search })));
};

/** Each batch is a read of its own, so that an export with a slow caller holds no place. */
async function* eachRead<T>(reading: Reading, batches: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    for (;;) {
      const { done, value } = await reading(() => batches.next());
      if (done) return;
      yield value;
    }
  } finally {
    await batches.return(undefined);
  }
}

/** Members of every row; requesting one of them is allowed. */
const MEMBERS: ReadonlySet<string> = new Set(['id', 'name', 'state', 'createdAt', 'updatedAt']);
