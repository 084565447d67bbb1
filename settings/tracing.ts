import { z } from 'zod';
import { SAMPLERS } from '../domain/trace/samplers.ts';

// Names and meanings are OpenTelemetry's.

export const TRACING_SETTINGS = {
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS)
    .default('parentbased_always_on')
    .describe(
      `Which traces are sampled: ${SAMPLERS.join(', ')}. The \`parentbased_\` ones leave it to a caller that names a trace; the others decide for all.`,
    ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('Of the samplers by ratio: the part of all traces, from 0 to 1.'),
};
