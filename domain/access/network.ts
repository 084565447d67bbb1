import ipaddr from 'ipaddr.js';

/** A proxy may pass on a text that is no address, of any length: more than an index takes. */
const MAX_LENGTH = 64;

/** An IPv4 address alone; of IPv6 the /64, since that is what one household or server is given whole. */
export function networkOf(ip: string): string {
  return prefixOf(ip, 64) ?? addressOf(ip);
}

/** An IPv4 address alone; of IPv6 the /48, which an organisation is given, and from which /64 are had for the asking. */
export function siteOf(ip: string): string {
  return prefixOf(ip, 48) ?? addressOf(ip);
}

/** The wider networks around an IPv6 address that are counted too; of IPv4 there are none. */
export function networksAround(ip: string): { site: string; household: string } | undefined {
  const household = prefixOf(ip, 56);
  return household === undefined ? undefined : { household, site: siteOf(ip) };
}

function addressOf(ip: string): string {
  return ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : ip.slice(0, MAX_LENGTH);
}

/** Undefined for what is no IPv6 address. `bits` is whole bytes. */
function prefixOf(ip: string, bits: number): string | undefined {
  if (!ipaddr.isValid(ip)) return undefined;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return undefined;
  const bytes = address.toByteArray();
  const kept = bytes.map((byte, index) => (index < bits / 8 ? byte : 0));
  return `${ipaddr.fromByteArray(kept).toString()}/${bits}`;
}
