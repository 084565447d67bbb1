import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const unanswered = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Ends the answer when its connection does. Node does so for the one that is being sent alone: those that wait behind it
 * on the same connection (pipelining) would never hear that their caller has gone.
 */
export function endWithConnection({ socket }: IncomingMessage, response: ServerResponse): void {
  let answers = unanswered.get(socket);
  if (!answers) {
    const waiting = new Set<ServerResponse>();
    // Node's own listener comes first.
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
