import { type DestinationStream, type Logger, pino } from 'pino';
import { workFields } from '../engine/tracing/work.ts';
import { loggedError } from '../prisma/loggedError.ts';

/** JSON lines to stdout or `destination`, without values that the database quotes, with trace and execution or turn. */
export function createLog(level: string, more: { name?: string; destination?: DestinationStream } = {}): Logger {
  const options = {
    level,
    serializers: { err: loggedError },
    mixin: (fields: object) => workFields(fields as Record<string, unknown>),
    ...(more.name === undefined ? {} : { name: more.name }),
  };
  return more.destination ? pino(options, more.destination) : pino(options);
}
