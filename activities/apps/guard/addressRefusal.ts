import ipaddr from 'ipaddr.js';

/** NAT64's well-known prefix (RFC 6052). The last 32 bits are the IPv4 address. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** The ranges of the public Internet. All others have a local or special meaning. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Azure's platform services have this address, which only looks public. */
const AZURE_PLATFORM = '168.63.129.16';

/** Undefined for a public address. Unknown ranges are refused: an address must be known to be public. */
export function refusalOf(address: string): string | undefined {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return refusalOfV4(ipaddr.IPv4.parse(bare));
  if (!ipaddr.IPv6.isValid(bare)) return 'notAnAddress';
  // The parser reads ::1.2.3.4 as ::ffff:1.2.3.4, the operating system does not.
  if (/^::\d+\./.test(bare)) return 'reserved';
  const parsed = ipaddr.IPv6.parse(bare);
  if (parsed.isIPv4MappedAddress()) return refusalOfV4(parsed.toIPv4Address());
  if (parsed.match(NAT64)) return refusalOfV4(new ipaddr.IPv4(parsed.toByteArray().slice(12)));
  const range = parsed.range();
  if (range !== 'unicast') return range;
  return parsed.match(GLOBAL_UNICAST) ? undefined : 'reserved';
}

function refusalOfV4(address: ipaddr.IPv4): string | undefined {
  const range = address.range();
  if (range !== 'unicast') return range;
  return address.toString() === AZURE_PLATFORM ? 'cloudPlatform' : undefined;
}
