import { portOf } from '../portOf.ts';

/** Apps that open connections, by the name that ends an entry of HTTP_ALLOWED_PRIVATE_HOSTS. */
export const REACHING_OUT = ['http', 'rss', 'postgres', 'openai', 'mcp', 'events', 'smtp', 'imap', 'mysql', 's3'];

/** An entry of HTTP_ALLOWED_PRIVATE_HOSTS: `host[:port][@workspaceId][/app]`. */
export interface PrivateHost {
  host: string;
  workspaceId: string | undefined;
  app: string | undefined;
}

const ENTRY = /^(?<host>[^@/]+)(?:@(?<workspaceId>[^@/]+))?(?:\/(?<app>[^@/]+))?$/;

export function readPrivateHost(entry: string): PrivateHost {
  const { host = entry, workspaceId, app } = ENTRY.exec(entry)?.groups ?? {};
  return { host, workspaceId: workspaceId?.toLowerCase(), app };
}

export function isNamedHost(named: ReadonlySet<string>, name: string, port: string | number): boolean {
  const host = bareHost(name);
  const bracketed = host.includes(':') ? `[${host}]` : host;
  return [host, bracketed, `${bracketed}:${port}`].some((each) => named.has(each));
}

export function bareHost(host: string): string {
  return host.replace(/^\[|\]$/g, '').toLowerCase();
}

export function isAllowedPrivateUrl(entries: readonly string[], url: URL, app: string, workspaceId: string): boolean {
  const theirs = entries
    .map(readPrivateHost)
    .filter((entry) => entry.app === undefined || entry.app === app)
    .filter((entry) => entry.workspaceId === undefined || entry.workspaceId === workspaceId);
  return isNamedHost(new Set(theirs.map(({ host }) => host.toLowerCase())), url.hostname, portOf(url));
}
