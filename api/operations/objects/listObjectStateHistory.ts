import { readStateHistory } from '../../../prisma/store/object/readStateHistory.ts';
import type { Operation } from '../../operation.ts';

/** As openapi.yaml says. */
const DEFAULT_LIMIT = 50;

export const listObjectStateHistory: Operation<'listObjectStateHistory'> = ({ caller, params, query, services }) =>
  readStateHistory(services.database, caller, params.id, query.limit ?? DEFAULT_LIMIT);
