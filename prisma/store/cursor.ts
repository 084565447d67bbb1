import { instantOf } from '../../domain/instant.ts';
import { isUuid } from './resource.ts';

/** Where a page begins: the order column's value and the id of its first row. */
export interface Cursor {
  /** ISO 8601, UTC, milliseconds. */
  at: string;
  id: string;
}

/** Opaque to callers. */
export function writeCursor({ at, id }: Cursor): string {
  return Buffer.from(`${at} ${id}`).toString('base64url');
}

/** Null when the text is not what writeCursor makes. */
export function readCursor(text: string): Cursor | null {
  const [at, id, ...more] = Buffer.from(text, 'base64url').toString('utf8').split(' ');
  if (at === undefined || id === undefined || more.length > 0) return null;
  return instantOf(at)?.toISOString() === at && isUuid(id) ? { at, id } : null;
}

/** A list in the order of a number that counts up: the page begins there. */
export function writePosition(position: string): string {
  return Buffer.from(position).toString('base64url');
}

/** Null when the text is not what writePosition makes. */
export function readPosition(text: string): string | null {
  const position = Buffer.from(text, 'base64url').toString('utf8');
  return /^\d{1,18}$/.test(position) ? position : null;
}
