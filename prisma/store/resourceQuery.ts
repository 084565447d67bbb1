import type { Viewer } from '../../domain/access/viewer.ts';
import { ownMember } from '../../domain/ownMember.ts';
import { placed } from '../../domain/place.ts';
import { Problem, type ProblemDetail } from '../../domain/problem.ts';
import type { Prisma } from '../generated/client.ts';
import { plannedByValue } from '../preparedStatements.ts';
import type { Filter, Resource } from './resource.ts';

export const DEFAULT_LIMIT = 100;

export interface ReadQuery {
  expansion?: string;
  includeType?: string;
}

export interface ListQuery extends ReadQuery {
  filterBy?: string;
  limit?: number;
  cursor?: string;
  offset?: number;
  page?: number;
  pageSize?: number;
}

type OfWorkspace = Pick<Viewer, 'workspaceId'>;

export interface CheckedReadQuery {
  fields: string[];
  flags: ReadonlySet<string>;
}

export interface CheckedListQuery extends CheckedReadQuery {
  conditions: Prisma.Sql[];
}

/** Throws VALIDATION_FAILED with every unknown or malformed name, and the valid ones. */
export function checkListQuery(
  resource: Resource,
  viewer: OfWorkspace,
  query: ListQuery,
  more: ProblemDetail[] = [],
): CheckedListQuery {
  const errors: ProblemDetail[] = [];
  const fields = readFields(resource, 'list', query.expansion, errors);
  const conditions = readFilters(resource.filters, viewer, query.filterBy, errors);
  const flags = readFlags(resource, query.includeType, errors);
  refuse([...errors, ...more]);
  return { fields, conditions, flags };
}

/** Throws VALIDATION_FAILED. */
export function checkReadQuery(resource: Resource, query: ReadQuery): CheckedReadQuery {
  const errors: ProblemDetail[] = [];
  const fields = readFields(resource, 'single', query.expansion, errors);
  const flags = readFlags(resource, query.includeType, errors);
  refuse(errors);
  return { fields, flags };
}

/** Throws FORBIDDEN for existing fields that this caller may not see (Resource.shownTo). */
export function checkShown({ shownTo }: Resource, viewer: Viewer, fields: readonly string[]): void {
  const shown = shownTo?.(viewer);
  const hidden = shown ? fields.filter((name) => !shown.has(name)) : [];
  if (!shown || hidden.length === 0) return;
  const detail = `expansion: ${hidden.join(', ')} is not allowed for this caller: expected one of ${[...shown].join(', ')}`;
  throw new Problem('FORBIDDEN', detail);
}

export function expansionsOf({ fields }: Pick<Resource, 'fields'>, kind: 'list' | 'single'): string[] {
  return Object.keys(fields).filter((name) => kind === 'single' || !fields[name]?.singleOnly);
}

function readFields(
  resource: Resource,
  kind: 'list' | 'single',
  expansion: string | undefined,
  errors: ProblemDetail[],
): string[] {
  const valid = new Set(expansionsOf(resource, kind));
  const asked = parts(expansion);
  for (const name of asked.filter((name) => !valid.has(name))) {
    errors.push({ path: 'expansion', message: `${quote(name)} is not one of ${[...valid].join(', ')}` });
  }
  return [...new Set([...resource.defaults[kind], ...asked])];
}

/** Throws VALIDATION_FAILED. */
export function checkFilters(
  filters: Record<string, Filter>,
  viewer: OfWorkspace,
  filterBy: string | undefined,
): Prisma.Sql[] {
  const errors: ProblemDetail[] = [];
  const conditions = readFilters(filters, viewer, filterBy, errors);
  refuse(errors);
  return conditions;
}

function readFilters(
  filters: Record<string, Filter>,
  { workspaceId }: OfWorkspace,
  filterBy: string | undefined,
  errors: ProblemDetail[],
): Prisma.Sql[] {
  const conditions: Prisma.Sql[] = [];
  const seen = new Set<string>();
  for (const part of parts(filterBy)) {
    const colon = part.indexOf(':');
    const key = colon < 0 ? part : part.slice(0, colon);
    const value = colon < 0 ? undefined : part.slice(colon + 1).replaceAll(/%2C/gi, ',');
    const { filter, name } = filterOf(filters, key);
    const condition = value === undefined ? undefined : filter?.where(value, { workspaceId, name });
    if (!filter) errors.push({ path: 'filterBy', message: unknownKey(key, filters) });
    else if (!condition) errors.push({ path: 'filterBy', message: `${key}: expected ${filter.expected}` });
    else if (seen.has(key)) errors.push({ path: 'filterBy', message: `${key} is given twice` });
    else conditions.push(plannedByValue(condition));
    seen.add(key);
  }
  for (const [key, { otherwise, where }] of Object.entries(filters)) {
    const condition = otherwise === undefined || seen.has(key) ? undefined : where(otherwise, { workspaceId });
    if (condition) conditions.push(condition);
  }
  return conditions;
}

/** Supports families of keys such as `label.<key>`. */
function filterOf(filters: Record<string, Filter>, key: string): { filter?: Filter; name?: string } {
  const own = key.includes('<') ? undefined : ownMember(filters, key);
  if (own) return { filter: own };
  for (const [family, filter] of Object.entries(filters)) {
    const prefix = family.slice(0, family.indexOf('<'));
    if (family.includes('<') && key.startsWith(prefix)) return { filter, name: key.slice(prefix.length) };
  }
  return {};
}

export function filterValue(filterBy: string | undefined, key: string): string | undefined {
  const part = parts(filterBy).find((each) => each.startsWith(`${key}:`));
  return part?.slice(key.length + 1).replaceAll(/%2C/gi, ',');
}

function readFlags(resource: Resource, includeType: string | undefined, errors: ProblemDetail[]): Set<string> {
  const flags = parts(includeType);
  for (const flag of flags.filter((flag) => !Object.hasOwn(resource.flags, flag))) {
    const message = `${quote(flag)} is not one of ${Object.keys(resource.flags).join(', ')}`;
    errors.push({ path: 'includeType', message });
  }
  return new Set(flags);
}

function parts(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function unknownKey(key: string, filters: Record<string, Filter>): string {
  const valid = Object.keys(filters);
  return `${quote(key)} is not one of ${valid.length > 0 ? valid.join(', ') : 'the keys of this list: it has none'}`;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

function refuse(errors: ProblemDetail[]): void {
  if (errors.length === 0) return;
  throw new Problem('VALIDATION_FAILED', errors.map(placed).join('; '), {
    errors,
  });
}
