import { z } from 'zod';
import type { WebhookReceiver } from '../webhookReceiver.ts';

/** Slack's are shorter; what is sent back is bounded. */
const MAX_CHALLENGE = 1_000;

const CHALLENGE = z.object({ type: z.literal('url_verification'), challenge: z.string().max(MAX_CHALLENGE) });
const CALLBACK = z.object({
  type: z.literal('event_callback'),
  event_id: z.string().min(1).max(200),
  event: z.looseObject({ type: z.string(), bot_id: z.unknown().optional() }),
});
const PLACE = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).optional();

interface Inputs {
  events?: string;
  channel?: string;
  bots?: boolean;
}

/** Slack sends an event again, with the same id, if it gets no answer within three seconds. */
export const receiveSlackEvent: WebhookReceiver = (body, inputs) => {
  const challenge = CHALLENGE.safeParse(body);
  if (challenge.success) return { kind: 'answer', body: { challenge: challenge.data.challenge } };
  const callback = CALLBACK.safeParse(body);
  if (!callback.success) return { kind: 'ignored' };
  const { event, event_id: key } = callback.data;
  return isWanted(event, inputs as Inputs) ? { kind: 'event', key } : { kind: 'ignored' };
};

function isWanted(event: z.output<typeof CALLBACK>['event'], { events = '', channel = '', bots = false }: Inputs) {
  const types = events.split(/[\s,]+/).filter((type) => type !== '');
  if (types.length > 0 && !types.includes(event.type)) return false;
  // A workflow that answers in the channel would start itself.
  if (!bots && event.bot_id !== undefined) return false;
  return channel === '' || channelOf(event) === channel;
}

/** The event of a channel names it as an object, a reaction inside its item. */
function channelOf({ channel, item }: Record<string, unknown>): string | undefined {
  const own = PLACE.safeParse(channel);
  if (own.success && own.data !== undefined) return own.data;
  const ofItem = z.object({ channel: z.string() }).safeParse(item);
  return ofItem.success ? ofItem.data.channel : undefined;
}
