import { Prisma } from '../generated/client.ts';
import type { Refusal, Resource } from './resource.ts';

/** What a write expects of the row: that there is one, or one with one of these tags. */
export type Expected = 'any' | readonly string[];

const T = Prisma.raw('t');

/** Another text after each write of the row; of a row with a `revision`. */
export function rowTag(row: Prisma.Sql = T): Prisma.Sql {
  return Prisma.sql`(${row}.revision || '-' || floor(extract(epoch FROM ${row}.updated_at) * 1000)::bigint)`;
}

/** Whether the row is as it is expected; part of the WHERE of its write, so that of two writers one wins. */
function isAsExpected(expected: Expected | undefined, row: Prisma.Sql = T): Prisma.Sql {
  if (expected === undefined || expected === 'any') return Prisma.sql`true`;
  return Prisma.sql`${rowTag(row)} = ANY (${[...expected]}::text[])`;
}

/** What each row of a set of writes expects, as members of its record. */
export function expectation(expected: Expected | undefined): { mustExist: boolean; tags: readonly string[] | null } {
  return {
    mustExist: expected !== undefined,
    tags: expected === undefined || expected === 'any' ? null : [...expected],
  };
}

export const EXPECTATION = { mustExist: 'boolean', tags: 'text[]' } as const;

/** Whether the row is as `given`, a record with an expectation, has it. */
export function meetsExpectation(given: Prisma.Sql, row: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(${given}.tags IS NULL OR ${rowTag(row)} = ANY (${given}.tags))`;
}

export const STALE = 'It has changed since it was read, or is not there: read it again';

/** Refuses the write of a row that is not as it is expected. */
export function staleRefusals(expected: Expected | undefined): readonly Refusal[] {
  if (expected === undefined || expected === 'any') return [];
  return [{ when: Prisma.sql`NOT ${isAsExpected(expected)}`, detail: STALE, code: 'PRECONDITION_FAILED' }];
}

const TAG = Symbol('row tag');

/** The value with the tag of its row, which JSON does not show. Copies by spreading keep it. */
export function withRowTag<T extends object>(value: T, tag: string | undefined): T {
  return tag === undefined ? value : Object.assign(value, { [TAG]: tag });
}

export function rowTagOf(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? (value as { [TAG]?: string })[TAG] : undefined;
}

/** The column of itemsSql with the tag, of resources that have one. */
export function tagColumns({ hasTag }: Pick<Resource, 'hasTag'>): { name: string; sql: Prisma.Sql }[] {
  return hasTag ? [{ name: '#tag', sql: rowTag() }] : [];
}

/** What a statement over itemsSql with tagColumns selects. */
export function taggedItem({ hasTag }: Pick<Resource, 'hasTag'>): Prisma.Sql {
  return hasTag ? Prisma.sql`page.item::text AS item, page."#tag" AS tag` : Prisma.sql`page.item::text AS item`;
}

export interface TaggedRow {
  item: string;
  tag?: string;
}
