import { z } from 'zod';
import { updateObject } from '../../../engine/objects/updateObject.ts';
import { jsonObject, withInputs } from '../checkedInputs.ts';
import type { Executor } from '../executor.ts';
import { asResult, checksOf, type ObjectsSettings, readShownObject, requireId, viewerOf } from './objectActions.ts';

export function buildUpdate(settings: ObjectsSettings): Executor {
  const { database } = settings;
  return withInputs(
    {
      id: z.string(),
      name: z.string().min(1).max(500).regex(/\S/, 'expected a name').optional(),
      attributes: jsonObject.default({}),
      ownerId: z.string().min(1).optional(),
    },
    ({ id, ...update }, call) =>
      asResult(async () => {
        requireId('id', id);
        requireId('ownerId', update.ownerId);
        const viewer = viewerOf(call);
        await updateObject(database, viewer, id, update, checksOf(settings, viewer));
        return readShownObject(database, viewer, id);
      }),
  );
}
