import { networkOf } from './network.ts';

/** 10 failures in 15 minutes for one account or one address (decisions.md 2). */
export const LOGIN_LIMIT = { failures: 10, windowMs: 15 * 60_000 };

/** Links to log in that are sent in 15 minutes: to one account, and for one address. */
export const LINK_LIMIT = { ofAccount: 5, forAddress: 20, windowMs: 15 * 60_000 };

/** How long a login waits for its second factor, and how many codes may be tried meanwhile (decisions.md 2). */
export const SECOND_FACTOR_LIMIT = { tries: 5, lifeMs: 5 * 60_000 };

/** Keys of the counted failures: the account, known or not, and the address. */
export interface LoginSubjects {
  email: string;
  network: string;
}

export function loginSubjects(email: string, ip: string): LoginSubjects {
  return { email, network: networkOf(ip) };
}

export function failureSubjects({ email, network }: LoginSubjects): [string, string] {
  return [`email:${email}`, `ip:${network}`];
}
