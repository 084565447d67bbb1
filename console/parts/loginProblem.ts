import { isProblem } from 'perdure-client';
import { WORDS } from '../words/en.ts';

/** A sentence for a login that was refused; `wrong`: for one with wrong credentials. */
export function loginProblem(failure: unknown, wrong: string): string {
  if (!isProblem(failure)) return String(failure);
  if (failure.status === 0) return WORDS.login.away;
  if (failure.status === 401) return WORDS.login.refused[failure.code] ?? wrong;
  if (failure.status === 429) return WORDS.login.tooMany(Math.ceil((failure.retryAfterMs ?? 60_000) / 1_000));
  return WORDS.login.refused[failure.code] ?? failure.detail;
}
