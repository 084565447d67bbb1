import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { refusalOf } from './addressRefusal.ts';
import { shareLookups } from './sharedLookup.ts';

/**
 * The host's address is not a public one. The name is the author's own; the text leaves out the address: it is inside.
 */
export class RefusedAddress extends Error {
  constructor(host: string, refusal: string) {
    super(`${host} is not a public host (${refusal})`);
  }
}

export interface GuardSettings {
  /** Hosts, each with or without a port, that are not guarded. */
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

  const isAllowedPrivate = (name: string, port: string | number) => {
    const host = bare(name);
    const bracketed = host.includes(':') ? `[${host}]` : host;
    return [host, bracketed, `${bracketed}:${port}`].some((each) => allowed.has(each));
  };
  return {
    isAllowedPrivate,
    lookupFor(name, port) {
      if (isAllowedPrivate(name, port)) return lookup;
      const host = bare(name);
      const refusal = isIP(host) === 0 ? undefined : refusalOf(host);
      if (refusal !== undefined) throw new RefusedAddress(host, refusal);
      return lookupPublic;
    },
  };
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '').toLowerCase();
}

/** One private address among several refuses the name: a resolver for the public Internet gives none. */
function guarded(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, [], undefined);
      const addresses = found as LookupAddress[];
      for (const { address } of addresses) {
        const refusal = refusalOf(address);
        if (refusal !== undefined) return callback(new RefusedAddress(hostname, refusal), [], undefined);
      }
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      return callback(null, first?.address ?? '', first?.family);
    });
  };
}
