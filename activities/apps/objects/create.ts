import { z } from 'zod';
import { derivedId } from '../../../domain/derivedId.ts';
import { authorOf } from '../../../domain/object/author.ts';
import { createObject } from '../../../engine/objects/createObject.ts';
import { jsonObject, withInputs } from '../checkedInputs.ts';
import type { Executor } from '../executor.ts';
import { asResult, checksOf, type ObjectsSettings, readShownObject, requireId, viewerOf } from './objectActions.ts';

export function buildCreate(settings: ObjectsSettings): Executor {
  const { database } = settings;
  return withInputs(
    {
      objectTypeSlug: z.string().min(1),
      name: z.string().min(1).max(500).regex(/\S/, 'expected a name'),
      attributes: jsonObject.default({}),
      state: z.string().min(1).optional(),
      ownerId: z.string().min(1).optional(),
    },
    ({ objectTypeSlug, ...members }, call) =>
      asResult(async () => {
        const viewer = viewerOf(call);
        // The same in each attempt, so that a repeated one creates nothing.
        const id = derivedId(call.origin?.lineageId ?? viewer.executionId, `create ${call.idempotencyKey}`);
        requireId('ownerId', members.ownerId);
        const object = { ...members, id, type: { slug: objectTypeSlug }, by: authorOf(viewer) };
        await createObject(database, viewer.workspaceId, object, checksOf(settings, viewer));
        return readShownObject(database, viewer, id);
      }),
  );
}
