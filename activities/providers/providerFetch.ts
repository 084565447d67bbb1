import type { FetchOf } from '../../engine/connections/oauth2Requests.ts';
import type { GuardSettings } from '../apps/guard/addressGuard.ts';
import { byWorkspace } from '../apps/guard/privateHosts.ts';
import { buildGuardedFetch, type GuardedFetch } from './guardedFetch.ts';

/** For a token endpoint, whose tokens have a few thousand characters. */
const MAX_BYTES = 262_144;

export function buildProviderFetch(settings: GuardSettings): FetchOf {
  const make = (guard: GuardSettings) =>
    buildGuardedFetch(
      { ...guard, maxAnswerBytes: MAX_BYTES },
      (most) => new Error(`The answer has over ${most} bytes`),
    );
  const ofApps = new Map<string, (workspaceId: string | undefined) => GuardedFetch>();
  return (appId, workspaceId) => {
    const known = ofApps.get(appId) ?? byWorkspace(settings, appId, make);
    ofApps.set(appId, known);
    return known(workspaceId) as typeof fetch;
  };
}
