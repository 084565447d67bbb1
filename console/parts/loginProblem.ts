import { isProblem } from 'perdure-client';
import { LOGIN } from '../words/en/login.ts';

/** A sentence for a login that was refused; `wrong`: for one with wrong credentials. */
export function loginProblem(failure: unknown, wrong: string): string {
  if (!isProblem(failure)) return String(failure);
  if (failure.status === 0) return LOGIN.away;
  if (failure.body.isMember === false) return LOGIN.noMember;
  if (failure.status === 401) return LOGIN.refused[failure.code] ?? wrong;
  if (failure.status === 429) return LOGIN.tooMany(Math.ceil((failure.retryAfterMs ?? 60_000) / 1_000));
  return LOGIN.refused[failure.code] ?? failure.detail;
}
