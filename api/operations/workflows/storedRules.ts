import { isUuid } from '../../../domain/isUuid.ts';
import type { CompiledRules } from '../../../domain/object/compiledRules.ts';
import { compiledType } from '../../../domain/object/compiledTypes.ts';
import { dataRules } from '../../../domain/queue/dataRules.ts';
import type { KnownType } from '../../../domain/workflow/check/entities.ts';
import { readObjectTypes } from '../../../prisma/store/objectType/readObjectType.ts';
import { dataSchemas } from '../../../prisma/store/queue/dataSchemas.ts';
import type { Services } from '../../services.ts';

/** Returns the workspace's types of entities by slug. */
export async function storedTypes(
  { database }: Pick<Services, 'database'>,
  workspaceId: string,
  slugs: readonly string[],
): Promise<Map<string, KnownType>> {
  const types = await readObjectTypes(database, workspaceId, slugs);
  return new Map(
    types.map(({ id, slug, version, rules, isEnabled }) => [
      slug,
      { isEnabled, rules: compiledType(id, version, rules) },
    ]),
  );
}

/** Returns the rules of items by the id of their queue; none for a queue without a dataSchema. */
export async function storedItemRules(
  { database }: Pick<Services, 'database'>,
  workspaceId: string,
  queueIds: readonly string[],
): Promise<Map<string, CompiledRules>> {
  const queues = await dataSchemas(database, workspaceId, queueIds.filter(isUuid));
  return new Map(
    queues.flatMap(({ queueId, revision, schema }) =>
      schema ? [[queueId, compiledType(queueId, revision, dataRules(schema))] as const] : [],
    ),
  );
}
