import { executionResource } from '../../prisma/store/execution/resource.ts';
import type { Resource } from '../../prisma/store/resource.ts';
import type { Services } from '../services.ts';
import { readLimitsOf } from './readLimitsOf.ts';

/** Executions, as much of each as the settings let one read show. */
export function executionsWithin({ config }: Services): Resource {
  return executionResource(readLimitsOf(config));
}
