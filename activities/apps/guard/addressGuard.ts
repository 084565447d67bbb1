import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { bareHost, isNamedHost } from '../../../domain/app/privateHosts.ts';
import { refusalOf } from './addressRefusal.ts';
import { shareLookups } from './sharedLookup.ts';

/**
 * The host's address is not a public one. The name is the author's own; the text says neither the address nor its kind,
 * which would tell how the network inside is made.
 */
export class RefusedAddress extends Error {
  constructor(host: string) {
    super(`${host} is not a public host; the operator can allow it with HTTP_ALLOWED_PRIVATE_HOSTS`);
  }
}

export interface GuardSettings {
  /** Hosts, each with or without a port, that are not guarded; for byWorkspace entries of HTTP_ALLOWED_PRIVATE_HOSTS. */
  allowedPrivateHosts: string[];
  /** The system's resolver where absent. */
  lookup?: LookupFunction;
}

/** Says of each connection that leaves the platform whether it may, and to which address it goes. */
export interface AddressGuard {
  /** Whether the operator has named it: a part of his own network. */
  isAllowedPrivate(host: string, port: string | number): boolean;
  /**
   * The name resolution for one connection; its error is a RefusedAddress where the name is no public one. Throws that
   * error where the host is an address already: such a connection resolves nothing.
   */
  lookupFor(host: string, port: string | number): LookupFunction;
}

/**
 * Public addresses only. The check sits inside the connection's own name resolution: the socket goes to the very
 * addresses that were checked, and a name that answers differently a moment later (DNS rebinding) gains nothing.
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

/** Names that no public host has: without a dot, or in a zone that is inside by its definition or by habit. */
const INSIDE = /^[^.]+\.?$|\.(internal|local|localhost|lan|intranet|corp|home|private|home\.arpa)\.?$/i;

/**
 * One private address among several refuses the name: a resolver for the public Internet gives none. A name of the inside
 * is refused whether it is there or not, so that nobody lists the names of the network.
 */
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
