import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { durationWritten } from '../../domain/durationWords.ts';

type Connect = (options: object, done?: (error: Error | null, socket?: Socket) => void) => Socket | null | undefined;

/** The exporter limits only silence: a collector whose answer trickles would block it for ever. */
export function briefAgent(protocol: string, longestMs: number): HttpAgent | HttpsAgent {
  const agent = protocol === 'https:' ? new HttpsAgent() : new HttpAgent();
  const own = agent as object as { createConnection: Connect };
  const connect = own.createConnection.bind(agent);
  own.createConnection = (options, done) => {
    const socket = connect(options, done);
    if (!socket) return socket;
    const late = new Error(`The collector did not answer within ${durationWritten(longestMs)}`);
    const timer = setTimeout(() => socket.destroy(late), longestMs);
    socket.once('close', () => clearTimeout(timer));
    return socket;
  };
  return agent;
}
