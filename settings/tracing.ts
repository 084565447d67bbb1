import { z } from 'zod';
import { SAMPLERS } from '../domain/trace/samplers.ts';
import { flag, ms, webUrl } from './values.ts';

// Names and meanings are OpenTelemetry's; its exporter reads `OTEL_EXPORTER_OTLP_…` from the environment itself.

const read = z.string().optional();

export const TRACING_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl
    .optional()
    .describe(
      'Address of a collector that takes OTLP over HTTP (protobuf): spans go to `<address>/v1/traces`. Absent: none are sent.',
    ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: webUrl.optional().describe('The whole address for spans, instead of the other.'),
  OTEL_EXPORTER_OTLP_HEADERS: read.describe(
    'Headers for the collector, as `name=value`, comma separated, percent-encoded; `OTEL_EXPORTER_OTLP_TRACES_HEADERS` for spans alone.',
  ),
  OTEL_EXPORTER_OTLP_TIMEOUT: ms
    .default(10_000)
    .describe('Maximum time of one request to the collector including its retries, however steadily it answers.'),
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: ms.optional().describe('The same for spans, instead of the other.'),
  OTEL_SERVICE_NAME: z.string().default('perdure').describe('The name under which spans are shown (`service.name`).'),
  OTEL_RESOURCE_ATTRIBUTES: read.describe('Additional attributes of every span: `deployment.environment.name=prod,…`.'),
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS)
    .default('parentbased_always_on')
    .describe(
      `Which traces are sent: ${SAMPLERS.join(', ')}. The \`parentbased_\` ones follow the caller if it names a trace; the others decide for all.`,
    ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('The part of all traces, from 0 to 1, for the samplers by ratio.'),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none']).default('otlp').describe('`none`: no spans are sent.'),
  OTEL_SDK_DISABLED: flag.default(false).describe('No spans are sent.'),
  OTEL_BSP_SCHEDULE_DELAY: ms.default(5_000).describe('Pause between two exports of spans.'),
};
