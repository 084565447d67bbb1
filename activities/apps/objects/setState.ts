import { z } from 'zod';
import { derivedId } from '../../../domain/derivedId.ts';
import { authorOf } from '../../../domain/object/author.ts';
import { setObjectState } from '../../../engine/objects/setObjectState.ts';
import { jsonObject, withInputs } from '../checkedInputs.ts';
import type { Executor } from '../executor.ts';
import { asResult, checksOf, type ObjectsSettings, requireId, SHOWN, viewerOf } from './objectActions.ts';

export function buildSetState(settings: ObjectsSettings): Executor {
  const { database } = settings;
  return withInputs(
    {
      id: z.string(),
      state: z.string().min(1),
      reason: z.string().max(10_000).optional(),
      attributes: jsonObject.optional(),
    },
    ({ id, state, reason, attributes }, call) =>
      asResult(async () => {
        requireId('id', id);
        const viewer = viewerOf(call);
        const move = {
          // The same in each attempt, so that a repeated one finds the move made.
          id: derivedId(call.origin?.lineageId ?? viewer.executionId, `setState ${call.idempotencyKey}`),
          to: state,
          reason: reason ?? null,
          attributes,
          by: authorOf(viewer),
        };
        return setObjectState(database, viewer, id, move, checksOf(settings, viewer), { query: SHOWN });
      }),
  );
}
