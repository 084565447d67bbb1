import { isAllowedPrivateUrl } from '../../domain/app/privateHosts.ts';
import { durationWritten } from '../../domain/durationWords.ts';
import { meaningOf, pauseAfter } from '../../domain/event/deliveryPlan.ts';
import { signedHeaders } from '../../domain/event/signedMessage.ts';
import type { AttemptEnd } from '../../prisma/store/eventDelivery/settleDelivery.ts';
import type { TakenDelivery } from '../../prisma/store/eventDelivery/takeDeliveries.ts';
import type { HeldSubscription } from '../../prisma/store/eventSubscription/claimSubscriptions.ts';
import type { FetchOf } from '../connections/oauth2Requests.ts';
import type { Sealer } from '../secrets/sealer.ts';
import { sealPlace } from '../secrets/sealPlace.ts';

/** The app name for events in HTTP_ALLOWED_PRIVATE_HOSTS. */
export const EVENTS_APP = 'events';
const MAX_ERROR_LENGTH = 300;

export interface SenderOptions {
  sealer: Sealer;
  /** Uses the address guard, without redirects. */
  fetchOf: FetchOf;
  allowedPrivateHosts: readonly string[];
  /** Per attempt, until the head of the response; its body is not read. */
  timeoutMs: number;
}

/** Sends one event, signed by Standard Webhooks, and returns its outcome. Never throws. */
export class EventSender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  async attempt(held: HeldSubscription, delivery: TakenDelivery, stopped: AbortSignal): Promise<AttemptEnd> {
    try {
      const statusCode = await this.#post(held, delivery, stopped);
      const meaning = meaningOf(statusCode);
      if (meaning !== 'failed') return { statusCode, error: null, outcome: meaning };
      return failed(delivery, statusCode, null);
    } catch (error) {
      // Does not count as an attempt: another process sends it at once.
      if (stopped.aborted) return { statusCode: null, error: 'The process stopped', outcome: 0 };
      return failed(delivery, null, this.#reasonOf(error));
    }
  }

  async #post(held: HeldSubscription, delivery: TakenDelivery, stopped: AbortSignal): Promise<number> {
    const { sealer, fetchOf, allowedPrivateHosts, timeoutMs } = this.#options;
    const { workspaceId } = held;
    const { id, type, at, data, secret: sealed, keyId } = delivery;
    const url = new URL(delivery.url);
    if (url.protocol !== 'https:' && !isAllowedPrivateUrl(allowedPrivateHosts, url, EVENTS_APP, workspaceId)) {
      throw new Error('Plain http is sent to allowed private hosts alone');
    }
    const secret = sealer.open(sealPlace('event_subscriptions', { workspace_id: workspaceId, id: held.id }), {
      sealed,
      keyId,
    });
    const body = JSON.stringify({ type, timestamp: at, data });
    const response = await fetchOf(EVENTS_APP, workspaceId)(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Perdure',
        ...signedHeaders(secret, { id, sentAt: new Date(), body }),
      },
      body,
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), stopped]),
    });
    await response.body?.cancel().catch(() => undefined);
    return response.status;
  }

  #reasonOf(error: unknown): string {
    // A DOMException, which is an Error of Node's own realm.
    if ((error as { name?: unknown }).name === 'TimeoutError')
      return `No answer within ${durationWritten(this.#options.timeoutMs)}`;
    let text = 'The request failed';
    for (let part = error; part instanceof Error; part = part.cause) {
      const { code } = part as { code?: unknown };
      if (typeof code === 'string') return code;
      text = part.message;
    }
    return text.slice(0, MAX_ERROR_LENGTH);
  }
}

function failed({ attempts, dueSince }: TakenDelivery, statusCode: number | null, error: string | null): AttemptEnd {
  const pauseMs = pauseAfter(attempts, { dueSince, now: new Date() });
  return { statusCode, error, outcome: pauseMs ?? 'failed' };
}
