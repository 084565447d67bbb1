import { portOf } from '../portOf.ts';

/** Those that reach out: the names that an entry of HTTP_ALLOWED_PRIVATE_HOSTS may end with. */
export const REACHING_OUT = ['http', 'rss', 'postgres', 'openai', 'mcp', 'events'];

/** For whom an entry of HTTP_ALLOWED_PRIVATE_HOSTS holds: `host[:port][@workspaceId][/app]`. */
export interface PrivateHost {
  host: string;
  /** Every workspace where absent. */
  workspaceId: string | undefined;
  /** Every app where absent. */
  app: string | undefined;
}

const ENTRY = /^(?<host>[^@/]+)(?:@(?<workspaceId>[^@/]+))?(?:\/(?<app>[^@/]+))?$/;

export function readPrivateHost(entry: string): PrivateHost {
  const { host = entry, workspaceId, app } = ENTRY.exec(entry)?.groups ?? {};
  return { host, workspaceId: workspaceId?.toLowerCase(), app };
}

/** Whether a host is one of those that an operator named, in lower case, each with or without a port. */
export function isNamedHost(named: ReadonlySet<string>, name: string, port: string | number): boolean {
  const host = bareHost(name);
  const bracketed = host.includes(':') ? `[${host}]` : host;
  return [host, bracketed, `${bracketed}:${port}`].some((each) => named.has(each));
}

export function bareHost(host: string): string {
  return host.replace(/^\[|\]$/g, '').toLowerCase();
}

/** Whether the address is a private host that the operator allows this app of this workspace. */
export function isAllowedPrivateUrl(entries: readonly string[], url: URL, app: string, workspaceId: string): boolean {
  const theirs = entries
    .map(readPrivateHost)
    .filter((entry) => entry.app === undefined || entry.app === app)
    .filter((entry) => entry.workspaceId === undefined || entry.workspaceId === workspaceId);
  return isNamedHost(new Set(theirs.map(({ host }) => host.toLowerCase())), url.hostname, portOf(url));
}
