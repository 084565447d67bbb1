import { isIP } from 'node:net';
import { portOf } from '../../../domain/portOf.ts';

export class WrongHosts extends Error {}

interface AllowedHost {
  /** In the form of URLs: lower case, punycode, IPv6 in brackets. */
  hostname: string;
  port: string | undefined;
  /** True for `*.`: all names below it, but not the name itself. */
  isBelow: boolean;
}

const ENTRY = /^(?<wildcard>\*\.)?(?<name>\[[0-9A-Fa-f:.]+\]|[^\s/:@?#*[\]\\]+)(?::(?<port>\d{1,5}))?$/;

/** Parses a connection's `allowedHosts`, a JSON list or names with commas. Throws WrongHosts. */
export function readAllowedHosts(text: string): AllowedHost[] {
  const entries = entriesOf(text);
  if (entries.length === 0) throw new WrongHosts('expected at least one host, e.g. api.example.com');
  return entries.map((entry) => {
    const { wildcard, name = '', port } = ENTRY.exec(entry)?.groups ?? {};
    const hostname = URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : '';
    const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
    // `*.com` would allow almost everybody.
    const isTooWide = wildcard !== undefined && (isAddress || !hostname.includes('.'));
    if (hostname === '' || isTooWide || Number(port ?? 1) > 65_535 || port === '0') {
      throw new WrongHosts(
        `"${entry}" is no host: expected a name with an optional port, without scheme and path, e.g. api.example.com, *.example.com or localhost:8080`,
      );
    }
    return { hostname, port: port === undefined ? undefined : String(Number(port)), isBelow: wildcard !== undefined };
  });
}

function entriesOf(text: string): string[] {
  if (!text.trimStart().startsWith('[')) return text.split(',').flatMap((part) => part.trim() || []);
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return [text];
  }
  if (!Array.isArray(list) || !list.every((each) => typeof each === 'string')) {
    throw new WrongHosts('expected a list of texts, e.g. ["api.example.com", "*.example.com"]');
  }
  return list.map((each) => each.trim());
}

export function isAllowedHost(hosts: readonly AllowedHost[], url: URL): boolean {
  const port = portOf(url);
  return hosts.some(
    (each) =>
      (each.port === undefined || each.port === port) &&
      (each.isBelow ? url.hostname.endsWith(`.${each.hostname}`) : url.hostname === each.hostname),
  );
}
