import { z } from 'zod';
import { DEFAULT_SCHEMA_LIMITS, INLINE_SCHEMA_BYTES, SCHEMA_COMPILE_MS } from '../domain/object/rules.ts';
import { bytes, count, ms, retentionDays } from './values.ts';

export const WORK_SETTINGS = {
  QUEUE_BATCH_BYTES: bytes
    .default(4_194_304)
    .describe(
      'Maximum data and metadata of the queue items that start one execution; a larger single item still starts one.',
    ),
  QUEUE_ITEM_RETENTION_DAYS: retentionDays.describe(
    'Days after their end after which completed, failed and cancelled queue items are deleted, with their history, errors and `externalId`; 0 keeps them.',
  ),
  OBJECT_MAX_BYTES: bytes.default(262_144).describe('Maximum attributes of one entity, as JSON.'),
  OBJECT_IMPORT_MAX_ROWS: count.default(50_000).describe('Maximum rows of one import of entities.'),
  OBJECT_CHANGES_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(36_500)
    .default(7)
    .describe(
      'Days after which changes of entities are deleted. The trigger `objects.changed` reads them; a workflow that polls less often misses some.',
    ),
  STATE_CHANGE_RETENTION_DAYS: retentionDays.describe(
    'Days after which state changes in the history of entities are deleted; 0 keeps them. The newest state change of an entity stays, unless the entity is deleted.',
  ),
  OBJECT_SCHEMA_MAX_BYTES: bytes
    .default(DEFAULT_SCHEMA_LIMITS.bytes)
    .describe(
      'Maximum attributeSchema and maximum stateSchema of an entity type, and maximum dataSchema of a queue, as JSON.',
    ),
  OBJECT_SCHEMA_MAX_DEPTH: count
    .default(DEFAULT_SCHEMA_LIMITS.depth)
    .describe('Maximum nesting of schemas in an attributeSchema or dataSchema.'),
  OBJECT_SCHEMA_MAX_NODES: count
    .default(DEFAULT_SCHEMA_LIMITS.nodes)
    .describe('Maximum schemas in an attributeSchema or dataSchema; a schema counts once for each reference to it.'),
  OBJECT_SCHEMA_INLINE_BYTES: bytes
    .default(INLINE_SCHEMA_BYTES)
    .describe(
      'Maximum attributeSchema, as JSON, that is compiled on the main thread, which blocks other work for about 10 ms for each thousand bytes. Larger ones are compiled, and their entities checked, in the threads of `EXPRESSION_THREADS`.',
    ),
  OBJECT_SCHEMA_COMPILE_MS: ms
    .max(60_000)
    .default(SCHEMA_COMPILE_MS)
    .describe('Time in which such a larger attributeSchema is compiled; a type that takes longer is refused.'),
};
