import { CONNECTION } from '../../../prisma/store/connection/resource.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import type { Operation } from '../../operation.ts';
import { connectionAnswer } from './connectionAnswer.ts';

export const getConnection: Operation<'getConnection'> = async ({ caller, params, query, services }) => {
  const { database, catalogue } = services;
  const item = await readResource(database, caller.workspaceId, CONNECTION, params.connectionId, query.expansion);
  return connectionAnswer(catalogue, item);
};
