import { z } from 'zod';
import { count, ms } from './values.ts';

export const EVENT_SETTINGS = {
  EVENT_SUBSCRIPTIONS_MAX: count.default(100).describe('Most event subscriptions of one workspace.'),
  EVENT_DELIVERY_TIMEOUT_MS: ms
    .max(120_000)
    .default(15_000)
    .describe('How long the receiver of an event may take to answer; later is a failed attempt.'),
  EVENT_DELIVERIES_AT_ONCE: z.coerce
    .number()
    .int()
    .positive()
    .max(1_000)
    .default(10)
    .describe('Events of one subscription that are on their way at once; those of one subject go one after the other.'),
  EVENT_SUBSCRIPTIONS_AT_ONCE: z.coerce
    .number()
    .int()
    .min(2)
    .max(10_000)
    .default(50)
    .describe('Subscriptions whose events a worker delivers at once; those of one workspace take at most half.'),
  EVENT_DELIVERIES_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(4)
    .max(36_500)
    .default(14)
    .describe('Days after which deliveries of events are deleted; until then they can be listed and replayed.'),
  EVENT_REPLAY_MAX: count
    .default(10_000)
    .describe('Most deliveries that one replay makes due again, the oldest first.'),
};
