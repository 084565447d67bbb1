import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { bareHost, isNamedHost } from '../../../domain/app/privateHosts.ts';
import { refusalOf } from './addressRefusal.ts';
import { shareLookups } from './sharedLookup.ts';

/** The message names the host as the author did, but not its address or kind: those reveal the internal network. */
export class RefusedAddress extends Error {
  constructor(host: string) {
    super(`${host} is not a public host; the operator can allow it with HTTP_ALLOWED_PRIVATE_HOSTS`);
  }
}

export interface GuardSettings {
  /** Hosts, with or without a port, that are not guarded. For byWorkspace: entries of HTTP_ALLOWED_PRIVATE_HOSTS. */
  allowedPrivateHosts: string[];
  lookup?: LookupFunction;
}

export interface AddressGuard {
  /** True if the operator has allowed it as a part of the private network. */
  isAllowedPrivate(host: string, port: string | number): boolean;
  /** Its lookup fails with RefusedAddress for a private name. Throws it if the host is an address already. */
  lookupFor(host: string, port: string | number): LookupFunction;
}

/**
 * Checks within the connection's own name resolution, so a later change of the answer (DNS rebinding) has no effect.
 */
export function buildAddressGuard({
  allowedPrivateHosts,
  lookup: resolve = systemLookup,
}: GuardSettings): AddressGuard {
  const lookup = shareLookups(resolve);
  const lookupPublic = guarded(lookup);
  const allowed = new Set(allowedPrivateHosts.map((host) => host.toLowerCase()));

  const isAllowedPrivate = (name: string, port: string | number) => isNamedHost(allowed, name, port);
  return {
    isAllowedPrivate,
    lookupFor(name, port) {
      if (isAllowedPrivate(name, port)) return lookup;
      const host = bareHost(name);
      if (isIP(host) !== 0 && refusalOf(host) !== undefined) throw new RefusedAddress(host);
      return lookupPublic;
    },
  };
}

/** Names that no public host has: without a dot, or in a zone that is private by definition or by custom. */
const INSIDE = /^[^.]+\.?$|\.(internal|local|localhost|lan|intranet|corp|home|private|home\.arpa)\.?$/i;

/** One private address refuses a name. Unknown internal names are refused alike, so that nobody can list them. */
function guarded(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(INSIDE.test(hostname) ? new RefusedAddress(hostname) : error, [], undefined);
      const addresses = found as LookupAddress[];
      for (const { address } of addresses) {
        if (refusalOf(address) !== undefined) return callback(new RefusedAddress(hostname), [], undefined);
      }
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      return callback(null, first?.address ?? '', first?.family);
    });
  };
}
