import { type DestinationStream, type Logger, pino } from 'pino';
import { workFields } from '../engine/tracing/work.ts';
import { loggedError } from '../prisma/loggedError.ts';

/**
 * A process's log: JSON lines on stdout, or where `destination` says. `err` contains no values that the database
 * quotes. Lines name the trace, and the execution or the turn, for which the process works.
 */
export function createLog(level: string, more: { name?: string; destination?: DestinationStream } = {}): Logger {
  const options = {
    level,
    serializers: { err: loggedError },
    mixin: (fields: object) => workFields(fields as Record<string, unknown>),
    ...(more.name === undefined ? {} : { name: more.name }),
  };
  return more.destination ? pino(options, more.destination) : pino(options);
}
