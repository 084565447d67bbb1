import { readPrivateHost } from '../../../domain/app/privateHosts.ts';
import type { GuardSettings } from './addressGuard.ts';

/** Workspaces with private hosts share no connections: an open one could serve another workspace. */
export function byWorkspace<T>(
  { allowedPrivateHosts, ...settings }: GuardSettings,
  app: string,
  make: (settings: GuardSettings) => T,
): (workspaceId: string | undefined) => T {
  const entries = allowedPrivateHosts
    .map(readPrivateHost)
    .filter((entry) => entry.app === undefined || entry.app === app);
  const makeFor = (workspaceId?: string) => {
    const theirs = entries.filter((each) => each.workspaceId === undefined || each.workspaceId === workspaceId);
    return make({ ...settings, allowedPrivateHosts: theirs.map(({ host }) => host) });
  };
  const named = new Set(entries.map((entry) => entry.workspaceId));
  const made = new Map<string | undefined, T>();
  return (workspaceId) => {
    const key = named.has(workspaceId) ? workspaceId : undefined;
    const known = made.get(key);
    if (known !== undefined) return known;
    const one = makeFor(key);
    made.set(key, one);
    return one;
  };
}

/** Allows an app to reach the operator's own server of its service (GITHUB_URL, SLACK_URL) in a private network. */
export function privateHostOf(app: string, url: string | undefined): string[] {
  return url === undefined ? [] : [`${new URL(url).host}/${app}`];
}
