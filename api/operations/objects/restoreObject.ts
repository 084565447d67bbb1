import { restoreObject as restore } from '../../../engine/objects/restoreObject.ts';
import type { Operation } from '../../operation.ts';

export const restoreObject: Operation<'restoreObject'> = ({ caller, params, query, services }) => {
  const { OBJECT_MAX_BYTES, MAX_ANSWER_BYTES: answerBytes } = services.config;
  return restore(services.database, caller, params.id, OBJECT_MAX_BYTES, { query, answerBytes });
};
