import type { LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { portOf } from '../../../domain/portOf.ts';
import { buildAddressGuard, type GuardSettings, type RefusedAddress } from '../guard/addressGuard.ts';

/**
 * Connections that the guard lets through. Each redirect is a connection of its own, so it is checked too. Proxy
 * settings of the environment play no part: a proxy would resolve again.
 */
export function buildGuardedAgent(
  settings: GuardSettings,
  timeouts: Pick<Agent.Options, 'headersTimeout' | 'bodyTimeout'> = {},
): Agent {
  const guard = buildAddressGuard(settings);
  // One for each of the guard's lookups: a connector keeps the TLS sessions of its hosts.
  const connectors = new Map<LookupFunction, buildConnector.connector>();
  const connectorOf = (lookup: LookupFunction) => {
    const connector = connectors.get(lookup) ?? buildConnector({ lookup });
    connectors.set(lookup, connector);
    return connector;
  };
  return new Agent({
    ...timeouts,
    connect: (options, callback) => {
      let lookup: LookupFunction;
      try {
        lookup = guard.lookupFor(options.hostname, portOf(options));
      } catch (error) {
        return callback(error as RefusedAddress, null);
      }
      return connectorOf(lookup)(options, callback);
    },
  });
}
