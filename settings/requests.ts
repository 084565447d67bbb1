import { z } from 'zod';
import { DEFAULT_ANSWER_BYTES } from '../domain/limits.ts';
import { atMost, bytes, count, ms } from './values.ts';

export const REQUEST_SETTINGS = {
  REQUESTS_PER_MINUTE: atMost
    .default(120_000)
    .describe('Most requests of one API key or session in a minute; further ones get 429. 0: no limit.'),
  ADDRESS_REQUESTS_PER_MINUTE: atMost
    .default(240_000)
    .describe(
      'Most requests from one address (an IPv6 address counts by its /64) in a minute, over all callers. 0: no limit.',
    ),
  WEBHOOK_REQUESTS_PER_MINUTE: atMost
    .default(120_000)
    .describe('Most requests to one webhook in a minute. 0: no limit.'),
  API_PROCESSES: count
    .default(1)
    .describe(
      'Number of API processes. Each process enforces its part of the three limits above, and of the limits of event streams.',
    ),
  MAX_BODY_BYTES: bytes.default(1_048_576).describe('Largest request body.'),
  MAX_BULK_BODY_BYTES: bytes.default(10_485_760).describe('Largest body of uploads, imports and bulk operations.'),
  HEADERS_TIMEOUT_MS: ms
    .default(15_000)
    .describe('Time in which the headers of a request must have arrived; later the answer is 408.'),
  BODY_TIMEOUT_MS: ms
    .default(30_000)
    .describe('Time in which a body must have arrived whole; later the answer is 408.'),
  BULK_BODY_TIMEOUT_MS: ms.default(120_000).describe('The same for bodies of uploads, imports and bulk operations.'),
  MAX_CONNECTIONS: count
    .default(10_000)
    .describe(
      'Most connections to an API process; further ones are closed at once. How many one address has is for the proxy to limit.',
    ),
  MAX_STREAMS_PER_CALLER: count
    .default(100)
    .describe('Most event streams that one person or API key has open; further ones get 429.'),
  MAX_STREAMS_PER_WORKSPACE: count
    .default(1_000)
    .describe('Most event streams that are open in one workspace; further ones get 429.'),
  MAX_UNREAD_STREAM_BYTES: bytes
    .default(268_435_456)
    .describe(
      'Most bytes that an API process keeps for followers of event streams who read slowly; the more streams are open, the less is kept for each.',
    ),
  MAX_BODY_DEPTH: count.default(100).describe('Deepest nesting of objects and lists in a JSON body.'),
  MAX_FORM_PARTS: z.coerce
    .number()
    .int()
    .positive()
    .default(1_000)
    .describe("Most fields and files of a webhook's form."),
  MAX_ANSWER_BYTES: bytes
    .default(DEFAULT_ANSWER_BYTES)
    .describe(
      'Most bytes of large values (outputs, definitions, values of variables) in one list or read; further values are replaced by links.',
    ),
  BULK_EXECUTIONS_MAX: z.coerce
    .number()
    .int()
    .min(1)
    .default(1_000)
    .describe('Most executions in one bulk cancel, termination or retry; the answer contains the number that remain.'),
  BULK_ITEMS_MAX: count
    .default(10_000)
    .describe('Most queue items that one bulk requeue moves; the answer contains how many match.'),
  EXECUTION_STATISTICS_MAX: count
    .default(100_000)
    .describe('Most executions that statistics count: the newest of the range. The answer says where it was so.'),
  EXECUTION_COUNT_MAX: count
    .default(100_000)
    .describe('Number at which `GET /api/executions/counts` stops counting the executions of a status.'),
};
