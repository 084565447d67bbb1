import { isIP, isIPv4, isIPv6 } from 'node:net';
import { z } from 'zod';
import { REACHING_OUT } from '../domain/app/privateHosts.ts';
import { MAX_TIMER_MS } from '../domain/limits.ts';

// Types of settings. The environment contains only strings.

export const port = z.coerce.number().int().min(0).max(65535);
export const bytes = z.coerce.number().int().positive();
export const count = z.coerce.number().int().positive();
export const atMost = z.coerce.number().int().min(0).max(100_000_000);
export const ms = z.coerce.number().int().positive().max(MAX_TIMER_MS);
/** Days for which rows are kept; 0 keeps them forever. */
export const retentionDays = z.coerce.number().int().min(0).max(36_500).default(0);
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

/** A list whose entries are all valid. An invalid entry would silently match nothing. */
const listOf = (fits: (entry: string) => boolean, expected: string) =>
  list.pipe(
    z.array(z.string()).superRefine((entries, context) => {
      for (const entry of entries.filter((each) => !fits(each))) {
        context.addIssue({ code: 'custom', message: `expected ${expected}, got ${JSON.stringify(entry)}` });
      }
    }),
  );

/** As browsers send them in `Origin`. */
export const origins = listOf(
  (text) => URL.canParse(text) && new URL(text).origin === text,
  'origins such as https://app.example.com, without a path or a slash at the end',
);

const HOST = /^(\[[\da-f:.]+\]|[^\s/:@[\]]+)(:\d+)?$/i;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** `host[:port][@workspaceId][/app]` */
function isPrivateHost(text: string): boolean {
  const [place = '', app, moreApps] = text.split('/');
  const [host = '', workspaceId, moreIds] = place.split('@');
  if (moreApps !== undefined || moreIds !== undefined) return false;
  if (app !== undefined && !REACHING_OUT.includes(app)) return false;
  return (workspaceId === undefined || UUID.test(workspaceId)) && (HOST.test(host) || isIPv6(host));
}

/** Names and addresses, each optionally with a port, a workspace and an app. */
export const privateHosts = listOf(
  isPrivateHost,
  `hosts such as db.internal, 10.0.0.5:5432 or models.internal@<id of a workspace>/openai (apps: ${REACHING_OUT.join(', ')}), without a scheme, a path or a range`,
);

export const webUrl = z.url({ protocol: /^https?$/, error: 'expected http://… or https://…' });

/** Values that Express accepts for `trust proxy`. Express would throw without naming the setting. */
export const trustedProxies = z
  .string()
  .refine(
    (text) => /^(true|false|\d+)$/.test(text) || text.split(',').every((entry) => isProxy(entry.trim())),
    'expected true, false, a number of proxies, or a comma separated list of addresses, ranges such as 10.0.0.0/8, loopback, linklocal and uniquelocal',
  );

function isProxy(entry: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(entry)) return true;
  const [address = '', range = '1', more] = entry.split('/');
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (more !== undefined || bits === 0) return false;
  return (bits === 32 && isIPv4(range)) || (/^\d+$/.test(range) && Number(range) >= 1 && Number(range) <= bits);
}

/** `15m`, `30d`, `90s`; becomes milliseconds. */
export const span = z
  .string()
  .regex(/^0*[1-9]\d*(s|m|h|d)$/, 'expected a positive number and s, m, h or d, e.g. 15m')
  .transform((text) => {
    const unit = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[text.slice(-1) as 's' | 'm' | 'h' | 'd'];
    return Number(text.slice(0, -1)) * unit;
  });

/** A JSON text, whose value is not checked yet. */
export const json = (expected: string) =>
  z.string().transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: `expected ${expected}` });
      return z.NEVER;
    }
  });

/** A JSON list with at most one entry per app. */
export const jsonListByApp = <Item extends z.ZodType<{ appId: string }>>(item: Item) =>
  json('a JSON list').pipe(
    z.array(item).refine((all) => new Set(all.map(({ appId }) => appId)).size === all.length, 'names an app twice'),
  );

export const listOfJson = <Item extends z.ZodType>(item: Item) => json('a JSON list').pipe(z.array(item));

/** A JSON list with unique ids. */
export const jsonList = <Item extends z.ZodType<{ id: string }>>(item: Item) =>
  json('a JSON list').pipe(
    z.array(item).refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'names an id twice'),
  );
