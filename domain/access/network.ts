import ipaddr from 'ipaddr.js';

/** A proxy may forward a text that is not an address and is too long for an index. */
const MAX_LENGTH = 64;

/** Returns an IPv4 address itself, or the /64 of an IPv6 address: one household or server usually gets a whole /64. */
export function networkOf(ip: string): string {
  return prefixOf(ip, 64) ?? addressOf(ip);
}

/** Returns an IPv4 address itself, or an address's /48: an organisation gets one and can use any /64 in it. */
export function siteOf(ip: string): string {
  return prefixOf(ip, 48) ?? addressOf(ip);
}

/** Returns the wider networks of an IPv6 address that are counted too; undefined for IPv4. */
export function networksAround(ip: string): { site: string; household: string } | undefined {
  const household = prefixOf(ip, 56);
  return household === undefined ? undefined : { household, site: siteOf(ip) };
}

function addressOf(ip: string): string {
  return ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : ip.slice(0, MAX_LENGTH);
}

/** Returns undefined if the text is not an IPv6 address. `bits` must be a multiple of 8. */
function prefixOf(ip: string, bits: number): string | undefined {
  if (!ipaddr.isValid(ip)) return undefined;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return undefined;
  const bytes = address.toByteArray();
  const kept = bytes.map((byte, index) => (index < bits / 8 ? byte : 0));
  return `${ipaddr.fromByteArray(kept).toString()}/${bits}`;
}
