import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const unanswered = new WeakMap<Socket, Set<ServerResponse>>();

/** Node does so only for the first of pipelined answers. */
export function endWithConnection({ socket }: IncomingMessage, response: ServerResponse): void {
  let answers = unanswered.get(socket);
  if (!answers) {
    const waiting = new Set<ServerResponse>();
    // Node's own listener runs first.
    socket.once('close', () => {
      for (const each of waiting) {
        each.destroy();
        each.emit('close');
      }
    });
    unanswered.set(socket, waiting);
    answers = waiting;
  }
  const waiting = answers.add(response);
  response.once('close', () => waiting.delete(response));
}
