/** What subscriptions may name, as `openapi/events.yaml` has them too; triggers of the database write them. */
const EVENT_TYPES = [
  'execution.completed',
  'execution.failed',
  'execution.timedOut',
  'execution.cancelled',
  'question.opened',
  'queueItem.failed',
  'turn.needsApproval',
  'object.changed',
  'connection.needsReconnect',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** Of the delivery that `test` makes; nobody subscribes to it. */
export const TEST_EVENT = 'subscription.test';
