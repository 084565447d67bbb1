import { z } from 'zod';
import { DEFAULT_ANSWER_BYTES } from '../domain/limits.ts';
import { atMost, bytes, count, ms } from './values.ts';

export const REQUEST_SETTINGS = {
  REQUESTS_PER_MINUTE: atMost
    .default(120_000)
    .describe('Maximum requests of one API key or session in a minute; further ones get 429. 0: no limit.'),
  ADDRESS_REQUESTS_PER_MINUTE: atMost
    .default(240_000)
    .describe(
      'Maximum requests from one address (an IPv6 address counts by its /64) in a minute, over all callers. 0: no limit.',
    ),
  WEBHOOK_REQUESTS_PER_MINUTE: atMost
    .default(120_000)
    .describe('Maximum requests to one webhook in a minute. 0: no limit.'),
  API_PROCESSES: count
    .default(1)
    .describe(
      'Number of API processes. Each process enforces its part of the three limits above, and of the limits of event streams.',
    ),
  MAX_BODY_BYTES: bytes.default(1_048_576).describe('Maximum request body.'),
  MAX_BULK_BODY_BYTES: bytes.default(10_485_760).describe('Maximum body of uploads, imports and bulk operations.'),
  HEADERS_TIMEOUT_MS: ms
    .default(15_000)
    .describe('Time in which the headers of a request must have arrived; later the answer is 408.'),
  BODY_TIMEOUT_MS: ms
    .default(30_000)
    .describe('Time in which the whole body must have arrived; later the answer is 408.'),
  BULK_BODY_TIMEOUT_MS: ms.default(120_000).describe('The same for bodies of uploads, imports and bulk operations.'),
  MAX_CONNECTIONS: count
    .default(10_000)
    .describe(
      'Maximum connections to an API process; further ones are closed at once. The proxy limits the connections of one address.',
    ),
  MAX_STREAMS_PER_CALLER: count
    .default(100)
    .describe('Maximum open event streams of one person or API key; further ones get 429.'),
  MAX_STREAMS_PER_WORKSPACE: count
    .default(1_000)
    .describe('Maximum open event streams of one workspace; further ones get 429.'),
  MAX_UNREAD_STREAM_BYTES: bytes
    .default(268_435_456)
    .describe(
      'Maximum bytes that an API process buffers for slow followers of event streams; the more streams are open, the less each may buffer.',
    ),
  MAX_BODY_DEPTH: count.default(100).describe('Maximum nesting of objects and lists in a JSON body.'),
  MAX_FORM_PARTS: z.coerce
    .number()
    .int()
    .positive()
    .default(1_000)
    .describe("Maximum fields and files of a webhook's form."),
  MAX_ANSWER_BYTES: bytes
    .default(DEFAULT_ANSWER_BYTES)
    .describe(
      'Maximum bytes of large values (outputs, definitions, values of variables) in one list or read; further values are replaced by links.',
    ),
  BULK_EXECUTIONS_MAX: z.coerce
    .number()
    .int()
    .min(1)
    .default(1_000)
    .describe(
      'Maximum executions in one bulk cancel, termination or retry; the answer contains the number that remain.',
    ),
  BULK_ITEMS_MAX: count
    .default(10_000)
    .describe('Maximum queue items that one bulk requeue moves; the answer contains how many match.'),
  EXECUTION_STATISTICS_MAX: count
    .default(100_000)
    .describe('Maximum executions that statistics count, the newest of the range. The answer says if there were more.'),
  EXECUTION_COUNT_MAX: count
    .default(100_000)
    .describe('Number at which `GET /api/executions/counts` stops counting the executions of a status.'),
};
