import { readResource } from '../../../prisma/store/readResource.ts';
import { VARIABLE } from '../../../prisma/store/variable/resource.ts';
import type { Operation } from '../../operation.ts';

export const getVariable: Operation<'getVariable'> = ({ caller, params, query, services }) =>
  readResource(services.database, caller.workspaceId, VARIABLE, params.variableId, query.expansion);
