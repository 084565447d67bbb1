import { z } from 'zod';
import { countedPage } from '../../../prisma/store/countedPage.ts';
import { type ObjectSort, objectConditions, objectOrder } from '../../../prisma/store/object/objectFilters.ts';
import { OBJECT } from '../../../prisma/store/object/resource.ts';
import { readObjectType } from '../../../prisma/store/objectType/readObjectType.ts';
import { OBJECT_TYPE } from '../../../prisma/store/objectType/resource.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import { jsonObject, withInputs } from '../checkedInputs.ts';
import type { Executor } from '../executor.ts';
import { asResult, type ObjectsSettings, SHOWN, viewerOf } from './objectActions.ts';

const MAX_FOUND = 1_000;

export function buildFind({ database }: Pick<ObjectsSettings, 'database'>): Executor {
  return withInputs(
    {
      objectTypeSlug: z.string().min(1),
      attributes: jsonObject.optional(),
      states: z.array(z.string()).max(200).optional(),
      search: z.string().max(200).optional(),
      sortBy: z
        .string()
        .regex(
          /^(name|state|createdAt|updatedAt|attributes\..+)$/,
          'expected name, state, createdAt, updatedAt or attributes.<name>',
        )
        .optional(),
      sortOrder: z.enum(['asc', 'desc']).optional(),
      limit: z.int().min(1).max(MAX_FOUND).default(100),
    },
    ({ objectTypeSlug, attributes: values, states, search, sortBy, sortOrder, limit }, call) =>
      asResult(async () => {
        const viewer = viewerOf(call);
        const type = await readObjectType(database, viewer.workspaceId, { slug: objectTypeSlug });
        if (!type) throw notFound(OBJECT_TYPE);
        const conditions = objectConditions(viewer.workspaceId, { objectTypeId: type.id, values, states, search });
        const isPlain = sortBy === undefined && sortOrder === undefined;
        const order = objectOrder((sortBy ?? 'updatedAt') as ObjectSort, sortOrder ?? 'asc');
        const options = { conditions, ...(isPlain ? {} : { order }) };
        const page = await countedPage(database, viewer, OBJECT, SHOWN, { limit, offset: 0 }, options);
        return { items: page.items, total: page.total };
      }),
  );
}
