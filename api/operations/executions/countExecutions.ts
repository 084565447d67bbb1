import { countByStatus } from '../../../prisma/store/execution/countByStatus.ts';
import type { Operation } from '../../operation.ts';

export const countExecutions: Operation<'countExecutions'> = ({ caller, query, services }) =>
  countByStatus(services.database, caller, query, services.config.EXECUTION_COUNT_MAX);
