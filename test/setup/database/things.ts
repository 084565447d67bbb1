import { v7 } from 'uuid';
import type { Viewer } from '../../../domain/access/viewer.ts';
import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { rowsOf } from '../../../prisma/rowsOf.ts';
import { column } from '../../../prisma/store/column.ts';
import { LAST_UPDATED } from '../../../prisma/store/order.ts';
import { isoTime, type Resource } from '../../../prisma/store/resource.ts';

/** A resource made for tests that uses every feature of a table of resources. */
export const BOX: Resource = {
  name: 'box',
  noun: 'box',
  table: Prisma.sql`boxes`,
  place: Prisma.sql`'/boxes/' || t.id`,
  fields: { id: { sql: Prisma.sql`t.id` } },
  defaults: { list: ['id'], single: ['id'] },
  filters: {},
  flags: { deleted: 'deleted ones too' },
  visible: (flags) => (flags.has('deleted') ? Prisma.sql`true` : Prisma.sql`t.deleted_at IS NULL`),
  order: LAST_UPDATED,
  softDelete: () => Prisma.sql`deleted_at = now()`,
};

export const THING: Resource = {
  name: 'thing',
  noun: 'thing',
  table: Prisma.sql`things`,
  place: Prisma.sql`'/things/' || t.id`,
  fields: {
    id: { sql: Prisma.sql`t.id` },
    number: { sql: Prisma.sql`t.number` },
    label: { sql: Prisma.sql`t.label` },
    status: { sql: Prisma.sql`t.status` },
    updatedAt: { sql: isoTime(Prisma.sql`t.updated_at`) },
    value: { sql: Prisma.sql`t.value`, large: {} },
    other: { sql: Prisma.sql`t.other`, large: { link: Prisma.sql`'/others/' || t.id` } },
  },
  defaults: { list: ['id'], single: ['id'] },
  filters: {},
  flags: {},
  scope: { boxId: { column: Prisma.sql`t.box_id`, parent: BOX } },
  visible: (_flags, viewer) =>
    viewer.kind === 'user' ? Prisma.sql`t.owner_id = ${viewer.userId}::uuid` : Prisma.sql`true`,
  order: LAST_UPDATED,
  changes: { label: column('label'), number: column('number', 'int'), value: column('value', 'jsonb') },
};

export async function makeTables(database: Database): Promise<void> {
  await rowsOf(
    database,
    Prisma.sql`CREATE TABLE boxes (id uuid PRIMARY KEY, workspace_id uuid NOT NULL, deleted_at timestamptz(3),
      created_at timestamptz(3) NOT NULL DEFAULT now(), updated_at timestamptz(3) NOT NULL DEFAULT now())`,
  );
  await rowsOf(
    database,
    Prisma.sql`CREATE TABLE things (id uuid PRIMARY KEY, workspace_id uuid NOT NULL, box_id uuid, owner_id uuid,
      number int NOT NULL DEFAULT 0, label text, status text NOT NULL DEFAULT 'OPEN', value jsonb, other jsonb,
      created_at timestamptz(3) NOT NULL DEFAULT now(), updated_at timestamptz(3) NOT NULL DEFAULT now())`,
  );
}

export function keyOfWorkspace(): Viewer {
  return { workspaceId: v7(), permissions: new Set(), kind: 'apiKey', apiKeyId: v7() };
}

export async function addBox(database: Database, { workspaceId }: Viewer): Promise<string> {
  const id = v7();
  await rowsOf(database, Prisma.sql`INSERT INTO boxes (id, workspace_id) VALUES (${id}::uuid, ${workspaceId}::uuid)`);
  return id;
}

export interface NewThing {
  boxId?: string;
  ownerId?: string;
  number?: number;
  label?: string | null;
  value?: Json;
  other?: Json;
}

export async function addThings(database: Database, { workspaceId }: Viewer, things: NewThing[]): Promise<string[]> {
  const rows = things.map((thing) => ({ id: v7(), ...thing }));
  await rowsOf(
    database,
    Prisma.sql`INSERT INTO things (id, workspace_id, box_id, owner_id, number, label, value, other)
      SELECT r.id, ${workspaceId}::uuid, r."boxId", r."ownerId", coalesce(r.number, 0), r.label, r.value, r.other
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS r(id uuid, "boxId" uuid, "ownerId" uuid, number int, label text, value jsonb, other jsonb)`,
  );
  return rows.map(({ id }) => id);
}
