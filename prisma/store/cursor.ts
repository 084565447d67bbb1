import { instantOf } from '../../domain/instant.ts';
import { isUuid } from '../../domain/isUuid.ts';
import { isDeeperThan, MAX_DEPTH } from '../../domain/jsonDepth.ts';
import type { KeyType, OrderKey } from './order.ts';

export interface Cursor {
  /** The values of the order's keys and the id, as texts; null: before the first row. */
  position: readonly (string | null)[] | null;
  /** The snapshot of the first page, if rows move in the order. */
  seen: Seen | null;
  inChanged: boolean;
}

/** A time, and the transactions that had ended by then (pg_current_snapshot()). */
export interface Seen {
  at: string;
  snapshot: string;
}

/** Opaque to callers and valid for one list: `list` names the resource, its order and its scope. */
export function writeCursor(list: string, { position, seen, inChanged }: Cursor): string {
  const parts = [list, position, seen && [seen.at, seen.snapshot], inChanged ? 1 : 0];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Returns null if the text is not a cursor of this list. Checks the types, because the database would fail unexpectedly. */
export function readCursor(text: string, list: string, keys: readonly OrderKey[], moves: boolean): Cursor | null {
  const parts = parsed(text);
  if (!Array.isArray(parts) || parts.length !== 4 || parts[0] !== list) return null;
  const [, position, seen, phase] = parts;
  const inChanged = phase === 1;
  if (phase !== 0 && !(inChanged && moves)) return null;
  if (moves ? !isSeen(seen) : seen !== null) return null;
  const fitting = inChanged ? keys.slice(-1) : keys;
  if (!(position === null && inChanged) && !fits(position, fitting)) return null;
  const cursor: Cursor = {
    position: position as Cursor['position'],
    seen: Array.isArray(seen) ? { at: seen[0], snapshot: seen[1] } : null,
    inChanged,
  };
  return writeCursor(list, cursor) === text ? cursor : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

function fits(position: unknown, keys: readonly OrderKey[]): boolean {
  return (
    Array.isArray(position) &&
    position.length === keys.length &&
    keys.every(({ type, nullable }, index) => {
      const value: unknown = position[index];
      return value === null ? nullable === true : typeof value === 'string' && IS[type](value);
    })
  );
}

const IS: Record<KeyType, (text: string) => boolean> = {
  time: isTime,
  text: isText,
  int: (text) => isInteger(text, 32),
  bigint: (text) => isInteger(text, 64),
  numeric: (text) => /^-?\d{1,1000}(\.\d{1,1000})?$/.test(text),
  boolean: (text) => text === 'true' || text === 'false',
  uuid: isUuid,
  json: isJson,
};

function isInteger(text: string, bits: number): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(bits, BigInt(text)) === BigInt(text);
}

/** The format of our statements: UTC with milliseconds. */
function isTime(text: string): boolean {
  return instantOf(text)?.toISOString() === text;
}

/** Postgres accepts neither NUL nor a lone surrogate. */
function isText(text: string): boolean {
  return !/\0|\p{Surrogate}/u.test(text);
}

/** The format of jsonb: no NUL in texts, finite numbers, limited depth. */
function isJson(text: string): boolean {
  if (!isText(text) || text.includes('\\u0000')) return false;
  try {
    // Comes before the reviver, which recurses.
    if (isDeeperThan(JSON.parse(text), MAX_DEPTH)) return false;
    let finite = true;
    JSON.parse(text, (_key, value: unknown) => {
      if (typeof value === 'number' && !Number.isFinite(value)) finite = false;
      return value;
    });
    return finite;
  } catch {
    return false;
  }
}

function isSeen(seen: unknown): seen is [string, string] {
  if (!Array.isArray(seen) || seen.length !== 2) return false;
  const [at, snapshot] = seen as unknown[];
  return typeof at === 'string' && isTime(at) && typeof snapshot === 'string' && isSnapshot(snapshot);
}

/** `xmin:xmax:xip,…` with ascending ids, as Postgres requires. */
function isSnapshot(text: string): boolean {
  const [, xmin, xmax, running] = /^(\d{1,18}):(\d{1,18}):((?:\d{1,18}(?:,\d{1,18})*)?)$/.exec(text) ?? [];
  if (xmin === undefined || xmax === undefined || running === undefined) return false;
  const ids = running === '' ? [] : running.split(',').map(BigInt);
  const [from, to] = [BigInt(xmin), BigInt(xmax)];
  if (from === 0n || from > to) return false;
  return ids.every((id, index) => id >= from && id < to && (index === 0 || id > (ids[index - 1] ?? id)));
}
