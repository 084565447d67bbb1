import { receiveSlackEvent } from './slack/events.ts';
import type { WebhookReceiver } from './webhookReceiver.ts';

/** By `appId.triggerId`. */
export const WEBHOOK_RECEIVERS: Readonly<Record<string, WebhookReceiver>> = {
  'slack.events': receiveSlackEvent,
};
