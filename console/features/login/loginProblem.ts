import { isProblem } from 'perdure-client';
import { LOGIN } from './words.ts';

/** Workspaces that invite a person who is a member of none. */
export const invitersOf = (failure: unknown) => (isProblem(failure) ? (failure.body.invitedTo ?? []) : []);

/** Returns a sentence about a refused login. `wrong`: the sentence for wrong credentials. */
export function loginProblem(failure: unknown, wrong: string): string {
  if (!isProblem(failure)) return String(failure);
  if (failure.status === 0) return LOGIN.away;
  const { isMember, invitedTo } = failure.body;
  if (isMember === false) {
    // After a login to one workspace, the API does not mention others.
    if (invitedTo === undefined) return LOGIN.noMember;
    return invitedTo.length > 0 ? LOGIN.invitedOnly : LOGIN.noWorkspace;
  }
  if (failure.status === 401) return LOGIN.refused[failure.code] ?? wrong;
  if (failure.status === 429) return LOGIN.tooMany;
  return LOGIN.refused[failure.code] ?? failure.detail;
}
