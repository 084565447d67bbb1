import { authorOf } from '../../../domain/object/author.ts';
import { setObjectState as move } from '../../../engine/objects/setObjectState.ts';
import { OBJECT } from '../../../prisma/store/object/resource.ts';
import { checkReadQuery } from '../../../prisma/store/resourceQuery.ts';
import type { Operation } from '../../operation.ts';

export const setObjectState: Operation<'setObjectState'> = async (request) => {
  const { caller, params, query, body, resourceId, services } = request;
  const { OBJECT_MAX_BYTES, MAX_ANSWER_BYTES: answerBytes } = services.config;
  checkReadQuery(OBJECT, query);
  const wanted = { id: resourceId, to: body.state, reason: body.reason ?? null, by: authorOf(caller) };
  return move(services.database, caller, params.id, wanted, OBJECT_MAX_BYTES, { query, answerBytes });
};
