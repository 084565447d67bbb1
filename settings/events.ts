import { z } from 'zod';
import { count, ms } from './values.ts';

export const EVENT_SETTINGS = {
  EVENT_SUBSCRIPTIONS_MAX: count.default(100).describe('Maximum event subscriptions of one workspace.'),
  EVENT_DELIVERY_TIMEOUT_MS: ms
    .max(120_000)
    .default(15_000)
    .describe('Timeout for the receiver of an event to answer; after it the attempt has failed.'),
  EVENT_DELIVERIES_AT_ONCE: z.coerce
    .number()
    .int()
    .positive()
    .max(1_000)
    .default(10)
    .describe(
      'Events of one subscription that are delivered concurrently; events of one subject are delivered one by one.',
    ),
  EVENT_SUBSCRIPTIONS_AT_ONCE: z.coerce
    .number()
    .int()
    .min(2)
    .max(10_000)
    .default(50)
    .describe('Subscriptions whose events a worker delivers concurrently; one workspace gets at most half.'),
  EVENT_DELIVERIES_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(4)
    .max(36_500)
    .default(14)
    .describe('Days after which deliveries of events are deleted; until then they can be listed and replayed.'),
  EVENT_REPLAY_MAX: count
    .default(10_000)
    .describe('Maximum deliveries that one replay makes due again, the oldest first.'),
};
