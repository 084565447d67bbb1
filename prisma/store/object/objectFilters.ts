import type { Json, JsonObject } from '../../../domain/json.ts';
import { Prisma } from '../../generated/client.ts';
import { plannedByValue } from '../../preparedStatements.ts';
import type { Order, OrderKey } from '../order.ts';
import { textFilter } from '../resource.ts';

export interface ObjectFilters {
  objectTypeId?: string | undefined;
  objectTypeSlug?: string | undefined;
  states?: readonly string[] | undefined;
  ownerId?: string | undefined;
  search?: string | undefined;
  /** Exact values; all must match. */
  values?: JsonObject | undefined;
  /** By attribute name, as texts. */
  attributes?: Readonly<Record<string, string>> | undefined;
}

const NAME = textFilter('', Prisma.sql`t.name`);

export function objectConditions(workspaceId: string, filters: ObjectFilters): Prisma.Sql[] {
  const { objectTypeId, objectTypeSlug, states, ownerId, search, values, attributes = {} } = filters;
  const conditions: Prisma.Sql[] = [];
  if (objectTypeId !== undefined) conditions.push(Prisma.sql`t.object_type_id = ${objectTypeId}::uuid`);
  if (objectTypeSlug !== undefined) {
    conditions.push(Prisma.sql`t.object_type_id = (SELECT y.id FROM object_types y
      WHERE y.workspace_id = ${workspaceId}::uuid AND y.slug = ${objectTypeSlug})`);
  }
  const byValue: Prisma.Sql[] = [];
  if (states !== undefined) byValue.push(Prisma.sql`t.state = ANY(${[...states]}::text[])`);
  if (ownerId !== undefined) byValue.push(Prisma.sql`t.owner_user_id = ${ownerId}::uuid`);
  if (values !== undefined) byValue.push(Prisma.sql`t.attributes @> ${JSON.stringify(values)}::jsonb`);
  const named = search === undefined ? undefined : NAME.where(search, { workspaceId });
  if (named) byValue.push(named);
  byValue.push(...Object.entries(attributes).map(([name, text]) => hasValue(name, text)));
  return [...conditions, ...byValue.map(plannedByValue)];
}

/** Matches this text, the number or boolean it spells, or a list with one of these; by the index. */
function hasValue(name: string, text: string): Prisma.Sql {
  const values: Json[] = [text];
  if (text === 'true' || text === 'false') values.push(text === 'true');
  // `Number` alone would accept blanks and hexadecimals.
  else if (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text))) values.push(Number(text));
  const wanted = values.flatMap((value) => [{ [name]: value }, { [name]: [value] }]);
  const parts = wanted.map((each) => Prisma.sql`t.attributes @> ${JSON.stringify(each)}::jsonb`);
  return Prisma.sql`(${Prisma.join(parts, ' OR ')})`;
}

const COLUMNS = {
  name: { sql: Prisma.sql`t.name`, type: 'text' },
  state: { sql: Prisma.sql`t.state`, type: 'text', nullable: true },
  createdAt: { sql: Prisma.sql`t.created_at`, type: 'time' },
  updatedAt: { sql: Prisma.sql`t.updated_at`, type: 'time' },
} as const satisfies Record<string, Omit<OrderKey, 'direction'>>;

export type ObjectSort = keyof typeof COLUMNS | `attributes.${string}`;

/** jsonb sorts numbers as numbers and texts as texts, each type apart; null counts as absent and comes last. */
export function objectOrder(sortBy: ObjectSort, direction: 'asc' | 'desc'): Order {
  const name = `${direction === 'desc' ? '-' : ''}${sortBy}`;
  if (Object.hasOwn(COLUMNS, sortBy)) {
    const key: OrderKey = { ...COLUMNS[sortBy as keyof typeof COLUMNS], direction };
    // Within a state, the order of objects_in_state_idx, so that only one page is read.
    return { name, keys: sortBy === 'state' ? [key, { ...COLUMNS.updatedAt, direction }] : [key] };
  }
  const attribute = Prisma.sql`t.attributes -> ${sortBy.slice('attributes.'.length)}::text`;
  return { name, keys: [{ sql: attribute, type: 'json', direction, nullable: true }] };
}
