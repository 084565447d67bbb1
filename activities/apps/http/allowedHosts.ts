import { isIP } from 'node:net';
import { portOf } from '../../../domain/portOf.ts';

/** A list that names no hosts; the message says which entry. */
export class WrongHosts extends Error {}

interface AllowedHost {
  /** As URLs have it: lower case, punycode, IPv6 in brackets. */
  hostname: string;
  /** Any where absent. */
  port: string | undefined;
  /** Every name below it, instead of the name itself. */
  isBelow: boolean;
}

const ENTRY = /^(?<wildcard>\*\.)?(?<name>\[[0-9A-Fa-f:.]+\]|[^\s/:@?#*[\]\\]+)(?::(?<port>\d{1,5}))?$/;

/** The field `allowedHosts` of a connection, a list as JSON or with commas, as hosts. Throws WrongHosts. */
export function readAllowedHosts(text: string): AllowedHost[] {
  const entries = entriesOf(text);
  if (entries.length === 0) throw new WrongHosts('expected at least one host, e.g. api.example.com');
  return entries.map((entry) => {
    const { wildcard, name = '', port } = ENTRY.exec(entry)?.groups ?? {};
    const hostname = URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : '';
    const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
    // `*.com` would be everybody.
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

/** Whether a credential that is for these hosts may be sent to the URL. */
export function isAllowedHost(hosts: readonly AllowedHost[], url: URL): boolean {
  const port = portOf(url);
  return hosts.some(
    (each) =>
      (each.port === undefined || each.port === port) &&
      (each.isBelow ? url.hostname.endsWith(`.${each.hostname}`) : url.hostname === each.hostname),
  );
}
