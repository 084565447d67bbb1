/** The types that subscriptions can name, as in `openapi/events.yaml`. Database triggers write the events. */
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

/** The event that the operation `test` delivers. It cannot be subscribed to. */
export const TEST_EVENT = 'subscription.test';
