import type { GuardSettings } from './addressGuard.ts';

/** For whom an entry of HTTP_ALLOWED_PRIVATE_HOSTS holds: `host[:port][@workspaceId][/app]`. */
interface PrivateHost {
  host: string;
  /** Every workspace where absent. */
  workspaceId: string | undefined;
  /** Every app where absent. */
  app: string | undefined;
}

const ENTRY = /^(?<host>[^@/]+)(?:@(?<workspaceId>[^@/]+))?(?:\/(?<app>[^@/]+))?$/;

function read(entry: string): PrivateHost {
  const { host = entry, workspaceId, app } = ENTRY.exec(entry)?.groups ?? {};
  return { host, workspaceId: workspaceId?.toLowerCase(), app };
}

/**
 * Makes what reaches out for an app: one for each workspace that has private hosts of its own, and one for all others.
 * They share no connection: one that is open to a private host would serve whoever comes next.
 */
export function byWorkspace<T>(
  { allowedPrivateHosts, ...settings }: GuardSettings,
  app: string,
  make: (settings: GuardSettings) => T,
): (workspaceId: string | undefined) => T {
  const entries = allowedPrivateHosts.map(read).filter((entry) => entry.app === undefined || entry.app === app);
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
