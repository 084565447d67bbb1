import type { JsonObject } from '../../../domain/json.ts';
import { missingFields } from '../../../domain/object/attributes.ts';
import { authorOf } from '../../../domain/object/author.ts';
import { requiredFieldsOf } from '../../../domain/object/stateSchema.ts';
import { movesFrom } from '../../../domain/object/transitions.ts';
import { setObjectState as move } from '../../../engine/objects/setObjectState.ts';
import { readObject } from '../../../prisma/store/object/readObject.ts';
import { readStateHistory } from '../../../prisma/store/object/readStateHistory.ts';
import { OBJECT } from '../../../prisma/store/object/resource.ts';
import { checkReadQuery } from '../../../prisma/store/resourceQuery.ts';
import { type Operation, Page } from '../../operation.ts';
import { objectChecks } from './objectChecks.ts';

export const setObjectState: Operation<'setObjectState'> = async (request) => {
  const { caller, params, query, body, resourceId, services } = request;
  const { MAX_ANSWER_BYTES: answerBytes } = services.config;
  checkReadQuery(OBJECT, query);
  const wanted = {
    id: resourceId,
    to: body.state,
    reason: body.reason ?? null,
    attributes: body.attributes as JsonObject | undefined,
    by: authorOf(caller),
  };
  const checks = objectChecks(services, caller);
  return move(services.database, caller, params.id, wanted, checks, { query, answerBytes });
};

export const getObjectTransitions: Operation<'getObjectTransitions'> = async ({ caller, params, services }) => {
  const { state, attributes, type } = await readObject(services.database, caller, params.id);
  const { stateSchema } = type.rules;
  if (!stateSchema) return { currentState: null, transitions: [], states: [] };
  const transitions = movesFrom(stateSchema, state).map((move) => {
    const requiredFields = requiredFieldsOf(stateSchema, move.to);
    return { ...move, requiredFields, missingFields: missingFields(attributes, requiredFields) };
  });
  return { currentState: state, transitions, states: stateSchema.states };
};

const DEFAULT_LIMIT = 50;

export const listObjectStateHistory: Operation<'listObjectStateHistory'> = async (request) => {
  const { caller, params, query, services } = request;
  const { limit = DEFAULT_LIMIT, cursor } = query;
  const { items, nextCursor } = await readStateHistory(services.database, caller, params.id, { limit, cursor });
  return new Page(items, nextCursor);
};
