import type { JsonObject } from '../../../domain/json.ts';
import { authorOf } from '../../../domain/object/author.ts';
import { refuse } from '../../../domain/object/checkObject.ts';
import { importObjects as run } from '../../../engine/objects/importObjects.ts';
import type { Operation } from '../../operation.ts';
import { namedType } from './namedType.ts';
import { objectChecks } from './objectChecks.ts';

export const importObjects: Operation<'importObjects'> = async ({ caller, body, resourceId, services }) => {
  const { database, config } = services;
  const { rows, columnMappings, updateExisting = false, matchField, dryRun = false } = body;
  const most = config.OBJECT_IMPORT_MAX_ROWS;
  if (rows.length > most) {
    refuse('VALIDATION_FAILED', [{ path: 'rows', message: `expected at most ${most} rows, got ${rows.length}` }]);
  }
  if (updateExisting && matchField === undefined) {
    refuse('VALIDATION_FAILED', [{ path: 'matchField', message: 'is required with updateExisting' }]);
  }
  return run(
    {
      database,
      workspaceId: caller.workspaceId,
      importId: resourceId,
      by: authorOf(caller),
      checks: objectChecks(services, caller),
    },
    {
      type: namedType(body),
      rows: rows as JsonObject[],
      columnMappings,
      matchField: updateExisting ? matchField : undefined,
      dryRun,
    },
  );
};
