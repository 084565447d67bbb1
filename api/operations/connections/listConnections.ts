import { CONNECTION } from '../../../prisma/store/connection/resource.ts';
import { listResource } from '../../../prisma/store/listResource.ts';
import { type Operation, Page } from '../../operation.ts';
import { connectionAnswer } from './connectionAnswer.ts';

export const listConnections: Operation<'listConnections'> = async ({ caller, query, services }) => {
  const { database, catalogue } = services;
  const { items, nextCursor } = await listResource(database, caller.workspaceId, CONNECTION, query);
  return new Page(
    items.map((item) => connectionAnswer(catalogue, item)),
    nextCursor,
  );
};
