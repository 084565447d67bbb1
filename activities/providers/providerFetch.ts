import { readPrivateHost } from '../../domain/app/privateHosts.ts';
import type { FetchOf } from '../../engine/connections/oauth2Requests.ts';
import type { GuardSettings } from '../apps/guard/addressGuard.ts';
import { byWorkspace } from '../apps/guard/privateHosts.ts';
import { buildGuardedFetch } from './guardedFetch.ts';

/** For a token endpoint, whose tokens have a few thousand characters. */
const MAX_BYTES = 262_144;

export function buildProviderFetch(settings: GuardSettings): FetchOf {
  const make = (guard: GuardSettings) =>
    buildGuardedFetch(
      { ...guard, maxAnswerBytes: MAX_BYTES },
      (most) => new Error(`The answer has over ${most} bytes`),
    );
  // Workspaces choose the ids of their apps, so those without private hosts of their own share a fetch.
  const others = byWorkspace(settings, '', make);
  const named = new Set(settings.allowedPrivateHosts.flatMap((text) => readPrivateHost(text).app ?? []));
  const ofApps = new Map([...named].map((app) => [app, byWorkspace(settings, app, make)]));
  return (appId, workspaceId) => (ofApps.get(appId) ?? others)(workspaceId) as typeof fetch;
}
