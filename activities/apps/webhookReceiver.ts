import type { Json, JsonObject } from '../../domain/json.ts';

/**
 * `answer`: the body of the answer to a question of the service about the address, which starts nothing, and which an
 * inactive workflow gives too. `ignored`: the trigger does not want this event. `event`: starts an execution; requests
 * with the same key are one event.
 */
export type Received = { kind: 'answer'; body: JsonObject } | { kind: 'ignored' } | { kind: 'event'; key: string };

/** Reads a request whose signature is right. Pure: the API runs it before it answers. */
export type WebhookReceiver = (body: Json, inputs: JsonObject) => Received;
