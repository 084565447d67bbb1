import ipaddr from 'ipaddr.js';

/** 10 failures in 15 minutes for one account or one address (decisions.md 2). */
export const LOGIN_LIMIT = { failures: 10, windowMs: 15 * 60_000 };

/** Links to log in that are sent in 15 minutes: to one account, and for one address. */
export const LINK_LIMITS = {
  account: { failures: 5, windowMs: 15 * 60_000 },
  address: { failures: 20, windowMs: 15 * 60_000 },
};

/** How long a login waits for its second factor, and how many codes may be tried meanwhile (decisions.md 2). */
export const SECOND_FACTOR_LIMIT = { tries: 5, lifeMs: 5 * 60_000 };

/** What failures are counted for: the account, known or not, and the address. */
export function loginSubjects(email: string, ip: string): [string, string] {
  return [`email:${email}`, `ip:${networkOf(ip)}`];
}

/** An IPv4 address alone; of IPv6 the /64, since that is what one household or server is given whole. */
function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const bytes = address.toByteArray();
  return `${ipaddr.fromByteArray([...bytes.slice(0, 8), ...new Array<number>(8).fill(0)]).toString()}/64`;
}
