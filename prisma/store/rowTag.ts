import { Prisma } from '../generated/client.ts';
import type { Refusal, Resource } from './resource.ts';

/** The state of the row that a write requires: it exists, or it has one of these tags. */
export type Expected = 'any' | readonly string[];

const T = Prisma.raw('t');

/** A text that changes with each write of the row; the table needs a `revision`. */
export function rowTag(row: Prisma.Sql = T): Prisma.Sql {
  return Prisma.sql`(${row}.revision || '-' || floor(extract(epoch FROM ${row}.updated_at) * 1000)::bigint)`;
}

/** Part of the WHERE of a write, so that only one of two concurrent writers succeeds. */
function isAsExpected(expected: Expected | undefined, row: Prisma.Sql = T): Prisma.Sql {
  if (expected === undefined || expected === 'any') return Prisma.sql`true`;
  return Prisma.sql`${rowTag(row)} = ANY (${[...expected]}::text[])`;
}

export function expectation(expected: Expected | undefined): { mustExist: boolean; tags: readonly string[] | null } {
  return {
    mustExist: expected !== undefined,
    tags: expected === undefined || expected === 'any' ? null : [...expected],
  };
}

export const EXPECTATION = { mustExist: 'boolean', tags: 'text[]' } as const;

export function meetsExpectation(given: Prisma.Sql, row: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(${given}.tags IS NULL OR ${rowTag(row)} = ANY (${given}.tags))`;
}

export const STALE = 'It has changed since it was read, or is not there: read it again';

export function staleRefusals(expected: Expected | undefined): readonly Refusal[] {
  if (expected === undefined || expected === 'any') return [];
  return [{ when: Prisma.sql`NOT ${isAsExpected(expected)}`, detail: STALE, code: 'PRECONDITION_FAILED' }];
}

const TAG = Symbol('row tag');

/** Attaches the tag of a row to its value. JSON omits it; copies by spreading keep it. */
export function withRowTag<T extends object>(value: T, tag: string | undefined): T {
  return tag === undefined ? value : Object.assign(value, { [TAG]: tag });
}

export function rowTagOf(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? (value as { [TAG]?: string })[TAG] : undefined;
}

export function tagColumns({ hasTag }: Pick<Resource, 'hasTag'>): { name: string; sql: Prisma.Sql }[] {
  return hasTag ? [{ name: '#tag', sql: rowTag() }] : [];
}

export function taggedItem({ hasTag }: Pick<Resource, 'hasTag'>): Prisma.Sql {
  return hasTag ? Prisma.sql`page.item::text AS item, page."#tag" AS tag` : Prisma.sql`page.item::text AS item`;
}

export interface TaggedRow {
  item: string;
  tag?: string;
}
