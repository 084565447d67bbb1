import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import type { AddressGuard } from './addressGuard.ts';
import { limitReceived, TooMuchSent } from './guardedSocket.ts';

type Connect = (options: object, callback?: (error: Error | null, stream: Duplex) => void) => Duplex | null | undefined;

/**
 * Agents for clients that use node:http. A connection serves one request, which may receive `maxBytes`. Clients
 * report more only as a lost connection; `tooMuchSent` tells them apart.
 */
export function guardedHttpAgents(
  guard: AddressGuard,
  maxBytes: number,
): { httpAgent: HttpAgent; httpsAgent: HttpsAgent; tooMuchSent(): TooMuchSent | undefined } {
  const sockets: Duplex[] = [];
  const limit = <A extends HttpAgent>(agent: A): A => {
    const connect: Connect = agent.createConnection.bind(agent) as Connect;
    agent.createConnection = ((options: { host: string; port: number }, callback) => {
      const lookup = guard.lookupFor(options.host, options.port);
      const socket = connect({ ...options, lookup }, callback);
      if (socket) {
        sockets.push(socket);
        limitReceived(socket, maxBytes);
      }
      return socket;
    }) as HttpAgent['createConnection'];
    return agent;
  };
  return {
    httpAgent: limit(new HttpAgent()),
    httpsAgent: limit(new HttpsAgent()),
    tooMuchSent: () => sockets.map(({ errored }) => errored).find((error) => error instanceof TooMuchSent),
  };
}
