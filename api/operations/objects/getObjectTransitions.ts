import { missingFields } from '../../../domain/object/attributes.ts';
import { requiredFieldsOf } from '../../../domain/object/stateSchema.ts';
import { movesFrom } from '../../../domain/object/transitions.ts';
import { readObject } from '../../../prisma/store/object/readObject.ts';
import type { Operation } from '../../operation.ts';

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
