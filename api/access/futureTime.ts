import { instantOf } from '../../domain/instant.ts';
import { Problem } from '../../domain/problem.ts';

export function futureTime(path: string, text: string | null | undefined): Date | null {
  if (text === null || text === undefined) return null;
  const time = instantOf(text);
  if (time && time.getTime() > Date.now()) return time;
  const message = 'expected a time in the future';
  throw new Problem('VALIDATION_FAILED', `${path}: ${message}`, { errors: [{ path, message }] });
}
