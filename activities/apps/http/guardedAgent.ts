import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { refusalOf } from './addressRefusal.ts';
import { shareLookups } from './sharedLookup.ts';

/** The host's address is not a public one. The name is the author's own; the address is not told: it is inside. */
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

/**
 * Connections to public addresses only. The check sits inside the connection's own name resolution: the socket goes to
 * the very addresses that were checked, and a name that answers differently a moment later (DNS rebinding) gains
 * nothing. Each redirect is a connection of its own, so it is checked too. Proxy settings of the environment play no
 * part: a proxy would resolve again.
 */
export function buildGuardedAgent({ allowedPrivateHosts, lookup: resolve = systemLookup }: GuardSettings): Agent {
  const lookup = shareLookups(resolve);
  const allowed = new Set(allowedPrivateHosts.map((host) => host.toLowerCase()));
  const connectAnywhere = buildConnector({ lookup });
  const connectPublic = buildConnector({ lookup: guarded(lookup) });

  return new Agent({
    connect: (options, callback) => {
      const host = options.hostname.replace(/^\[|\]$/g, '').toLowerCase();
      const bracketed = host.includes(':') ? `[${host}]` : host;
      const port = options.port || (options.protocol === 'https:' ? '443' : '80');
      if ([host, bracketed, `${bracketed}:${port}`].some((name) => allowed.has(name))) {
        return connectAnywhere(options, callback);
      }
      // An address in the URL is connected to without any resolution.
      const refusal = isIP(host) === 0 ? undefined : refusalOf(host);
      if (refusal !== undefined) return callback(new RefusedAddress(host, refusal), null);
      return connectPublic(options, callback);
    },
  });
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
