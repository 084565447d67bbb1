import type { StreamedEvent } from './events.ts';
import { type FollowOptions, follow } from './followStream.ts';
import { newIdempotencyKey } from './idempotencyKey.ts';
import { PerdureProblem } from './problem.ts';
import type { Send } from './transport.ts';

export interface TurnRequest extends FollowOptions {
  agentId: string;
  taskId: string;
  /** A text, or a message in parts as chat clients make them. If absent, follows the running turn. */
  message?: string | object;
  /** Made if absent, so that a repeated request does not begin a second turn. */
  idempotencyKey?: string;
}

/**
 * Sends a message and yields the chunks of the turn (UIMessageChunk of the `ai` package) to its end, across lost
 * connections. If the model is called again, the message restarts with a chunk `start`: drop everything before it.
 * Throws a PerdureProblem CONFLICT if another turn of the task is running; the message is then not accepted.
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
      if (answer.headers.get('x-turn-attached') === 'true') throw await notTaken(answer);
      isSent = true;
      return answer;
    }
    const headers = lastId === undefined ? {} : { headers: { 'last-event-id': lastId } };
    const answer = await send('resumeMessageStream', { ...common, ...headers });
    return answer.status === 204 ? undefined : answer;
  };
  for await (const { event } of follow(begin, options)) yield event;
}

/** The API follows the running turn instead, whose chunks do not answer this message. */
async function notTaken(answer: Response): Promise<PerdureProblem> {
  await answer.body?.cancel();
  const detail = 'Not accepted: another turn of the task is running. Send the message when it has ended.';
  return new PerdureProblem(409, { code: 'CONFLICT', detail });
}

function partsOf(message: string | object | undefined): object | undefined {
  return typeof message === 'string' ? { role: 'user', parts: [{ type: 'text', text: message }] } : message;
}
