import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { portOf } from '../../../domain/portOf.ts';
import { buildAddressGuard, type GuardSettings, type RefusedAddress } from '../guard/addressGuard.ts';
import { InvalidResponse } from './responseBody.ts';

/** 1xx responses before the real one. Parsing an endless series of them would block the thread. */
const MAX_INTERIM = 100;

/** Each redirect is a new, checked connection. Ignores proxy settings, because a proxy would resolve names again. */
export function buildGuardedAgent(
  settings: GuardSettings,
  timeouts: Pick<Agent.Options, 'headersTimeout' | 'bodyTimeout'> = {},
): Agent {
  const guard = buildAddressGuard(settings);
  // One for each of the guard's lookups, because a connector caches the TLS sessions of its hosts.
  const connectors = new Map<LookupFunction, buildConnector.connector>();
  const connectorOf = (lookup: LookupFunction) => {
    const connector = connectors.get(lookup) ?? buildConnector({ lookup });
    connectors.set(lookup, connector);
    return connector;
  };
  return new FewInterimAnswers({
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

/** Called right before the request is written to its connection. */
export interface SentOptions {
  onSent?: () => void;
}

class FewInterimAnswers extends Agent {
  override dispatch(options: Agent.DispatchOptions & SentOptions, handler: Dispatcher.DispatchHandler): boolean {
    let interim = 0;
    const count = (status: number) => {
      if (status < 200) interim += 1;
      // An error thrown by a handler ends the request and its connection.
      if (interim > MAX_INTERIM) throw new InvalidResponse(`more than ${MAX_INTERIM} answers 1xx come before it`);
    };
    // Patched in place, because handlers have private members. Each has one of the two methods.
    const { onConnect, onRequestStart, onHeaders, onResponseStart } = handler;
    if (onConnect) {
      handler.onConnect = (...given) => {
        options.onSent?.();
        onConnect.call(handler, ...given);
      };
    }
    if (onRequestStart) {
      handler.onRequestStart = (...given) => {
        options.onSent?.();
        onRequestStart.call(handler, ...given);
      };
    }
    if (onHeaders) {
      handler.onHeaders = (status, ...more) => {
        count(status);
        return onHeaders.call(handler, status, ...more);
      };
    }
    if (onResponseStart) {
      handler.onResponseStart = (controller, status, ...more) => {
        count(status);
        onResponseStart.call(handler, controller, status, ...more);
      };
    }
    return super.dispatch(options, handler);
  }
}
