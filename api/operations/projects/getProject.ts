import { PROJECT } from '../../../prisma/store/project/resource.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import type { Operation } from '../../operation.ts';

export const getProject: Operation<'getProject'> = ({ caller, params, query, services }) =>
  readResource(services.database, caller.workspaceId, PROJECT, params.projectId, query.expansion);
