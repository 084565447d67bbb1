import type { StreamedEvent } from './events.ts';
import { type FollowOptions, follow } from './following.ts';
import { newIdempotencyKey } from './idempotencyKey.ts';
import type { Send } from './transport.ts';

export interface TurnRequest extends FollowOptions {
  agentId: string;
  taskId: string;
  /** A text, or a message in parts as chat clients make them. Absent: follow the turn that is running. */
  message?: string | object;
  /** Made where it is absent: a request that is sent again does not begin a second turn. */
  idempotencyKey?: string;
}

/**
 * Sends a message and answers the chunks of the turn (UIMessageChunk of the `ai` package) to its end, over lost connections
 * too. Where the model was called again the message begins again, with a chunk `start`: drop what came before it.
 */
export async function* streamTurn(
  send: Send,
  { agentId, taskId, message, idempotencyKey, ...options }: TurnRequest,
): AsyncGenerator<StreamedEvent, void> {
  const path = { agentId, taskId };
  const common = options.signal === undefined ? { path } : { path, signal: options.signal };
  let isSent = message === undefined;
  const begin = async (lastId: string | undefined) => {
    if (!isSent) {
      const key = idempotencyKey ?? newIdempotencyKey();
      idempotencyKey = key;
      const answer = await send('streamMessage', {
        ...common,
        body: { message: partsOf(message) },
        idempotencyKey: key,
      });
      isSent = true;
      return answer;
    }
    const headers = lastId === undefined ? {} : { headers: { 'last-event-id': lastId } };
    const answer = await send('resumeMessageStream', { ...common, ...headers });
    return answer.status === 204 ? undefined : answer;
  };
  for await (const { event } of follow(begin, options)) yield event;
}

function partsOf(message: string | object | undefined): object | undefined {
  return typeof message === 'string' ? { role: 'user', parts: [{ type: 'text', text: message }] } : message;
}
