import { countByStatus } from '../../../prisma/store/execution/countByStatus.ts';
import type { Operation } from '../../operation.ts';

export const countExecutions: Operation<'countExecutions'> = ({ caller, query, services }) =>
  countByStatus(services.database, caller.workspaceId, query);
