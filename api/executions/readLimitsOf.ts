import type { Config } from '../../config.ts';
import type { ReadLimits } from '../../domain/execution/readLimits.ts';
import { executionResource } from '../../prisma/store/execution/resource.ts';
import type { Resource } from '../../prisma/store/resource.ts';
import type { Services } from '../services.ts';

type Settings = Pick<
  Config,
  'MAX_INLINE_OUTPUT_BYTES' | 'EXECUTION_PATH_ITERATIONS' | 'EXECUTION_PATH_STEPS' | 'EXECUTION_PATH_BYTES'
>;

export function readLimitsOf(config: Settings): ReadLimits {
  return {
    inlineBytes: config.MAX_INLINE_OUTPUT_BYTES,
    pathIterations: config.EXECUTION_PATH_ITERATIONS,
    pathSteps: config.EXECUTION_PATH_STEPS,
    pathBytes: config.EXECUTION_PATH_BYTES,
  };
}

export function executionsWithin({ config }: Services): Resource {
  return executionResource(readLimitsOf(config));
}

/** One execution, whose output counts as any large value of an answer. */
export function executionWithin({ config }: Services): Resource {
  return executionResource(readLimitsOf(config), config.MAX_ANSWER_BYTES);
}
