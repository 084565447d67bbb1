import type { StreamedEvent } from './events.ts';
import { type FollowOptions, follow } from './following.ts';
import { newIdempotencyKey } from './idempotencyKey.ts';
import { PerdureProblem } from './problem.ts';
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
 * too. Where the model was called again the message begins again, with a chunk `start`: drop what came before it. Throws a
 * PerdureProblem, CONFLICT, where another turn of the task runs: the message is not taken then.
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

/** The API follows the turn that runs; what that answers is not an answer to this message. */
async function notTaken(answer: Response): Promise<PerdureProblem> {
  await answer.body?.cancel();
  const detail = 'Not taken: another turn of the task runs. Send it when that has ended.';
  return new PerdureProblem(409, { code: 'CONFLICT', detail });
}

function partsOf(message: string | object | undefined): object | undefined {
  return typeof message === 'string' ? { role: 'user', parts: [{ type: 'text', text: message }] } : message;
}
