import ipaddr from 'ipaddr.js';

/** A proxy may pass on a text that is no address, of any length: more than an index takes. */
const MOST_LENGTH = 64;

/** An IPv4 address alone; of IPv6 the /64, since that is what one household or server is given whole. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip.slice(0, MOST_LENGTH);
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const bytes = address.toByteArray();
  return `${ipaddr.fromByteArray([...bytes.slice(0, 8), ...new Array<number>(8).fill(0)]).toString()}/64`;
}
