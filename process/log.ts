import { type DestinationStream, type Logger, pino } from 'pino';
import { loggedError } from '../prisma/loggedError.ts';

/**
 * A process's log: JSON lines on stdout, or where `destination` says. `err` contains no values that the database
 * quotes.
 */
export function createLog(level: string, more: { name?: string; destination?: DestinationStream } = {}): Logger {
  const options = { level, serializers: { err: loggedError }, ...(more.name === undefined ? {} : { name: more.name }) };
  return more.destination ? pino(options, more.destination) : pino(options);
}
