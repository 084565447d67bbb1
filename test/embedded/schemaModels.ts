/** A table of schema.prisma in Postgres' terms. Supports only the used parts of the language. */
export interface Table {
  name: string;
  columns: Record<string, { type: string; nullable: boolean; default: string | null }>;
  /** `primary a,b`, `unique a`, `index a,b DESC`; sorted. */
  indexes: string[];
  /** `a,b -> table(a,b) on delete cascade`; sorted. */
  bonds: string[];
}

const TYPES: Record<string, string> = {
  String: 'text',
  Int: 'integer',
  BigInt: 'bigint',
  Float: 'double precision',
  Boolean: 'boolean',
  Json: 'jsonb',
  Bytes: 'bytea',
};

interface Field {
  name: string;
  column: string;
  type: string;
  isList: boolean;
  isOptional: boolean;
  attributes: string;
}

function readField(line: string): Field | undefined {
  const [, name, type, list, optional, attributes] = /^(\w+)\s+(\w+)(\[\])?(\?)?\s*(.*)$/.exec(line) ?? [];
  if (name === undefined || type === undefined) return undefined;
  const column = /@map\("(\w+)"\)/.exec(attributes ?? '')?.[1] ?? name;
  return {
    name,
    column,
    type,
    isList: !!list,
    isOptional: !!optional || /^\("\w+"\)\?/.test(attributes ?? ''),
    attributes: attributes ?? '',
  };
}

function postgresType({ type, isList, attributes }: Field): string {
  if (type === 'Unsupported') return /^\("(\w+)"\)/.exec(attributes)?.[1] ?? '';
  const timestamp = /@db\.Timestamptz\((\d)\)/.exec(attributes);
  if (timestamp) return `timestamp(${timestamp[1]}) with time zone`;
  if (attributes.includes('@db.Uuid')) return isList ? 'uuid[]' : 'uuid';
  if (attributes.includes('@db.Json')) return 'json';
  const known = TYPES[type];
  if (known === undefined || attributes.includes('@db.')) throw new Error(`unknown type: ${type} ${attributes}`);
  return isList ? `${known}[]` : known;
}

function defaultOf({ attributes }: Field): string | null {
  return /@default\(((?:[^()]|\(\))*)\)/.exec(attributes)?.[1] ?? null;
}

const ON_DELETE: Record<string, string> = { Cascade: 'cascade', SetNull: 'set null', Restrict: 'restrict' };

interface Model {
  table: string;
  fields: Field[];
  columnOf: Map<string, string>;
  lines: string[];
}

function readModel(text: string): Model {
  const lines = text.split('\n').map((line) => line.trim());
  const fields = lines.filter((line) => /^\w/.test(line)).flatMap((line) => readField(line) ?? []);
  return {
    table: lines.flatMap((line) => /^@@map\("(\w+)"\)/.exec(line)?.[1] ?? [])[0] ?? '',
    fields,
    columnOf: new Map(fields.map((field) => [field.name, field.column])),
    lines,
  };
}

/** Returns the foreign key of a field that refers to another model; nothing for the other side of the relation. */
function bondOf({ columnOf }: Model, { type, attributes }: Field, models: Map<string, Model>): string[] {
  const bond = /fields: \[(.*?)\], references: \[(.*?)\], onDelete: (\w+), onUpdate: NoAction\)/.exec(attributes);
  const other = models.get(type);
  if (!bond || !other) return [];
  const columns = (names: string, of: Map<string, string>) =>
    names
      .split(', ')
      .map((name) => of.get(name))
      .join(',');
  const [, fields = '', references = '', onDelete = ''] = bond;
  return [
    `${columns(fields, columnOf)} -> ${other.table}(${columns(references, other.columnOf)}) on delete ${ON_DELETE[onDelete]}`,
  ];
}

function tableOf(model: Model, models: Map<string, Model>): Table {
  const { lines, columnOf } = model;
  const fields = model.fields.filter(({ type }) => !models.has(type));
  const list = (names: string) =>
    names
      .split(/,\s*/)
      .map((each) => {
        const [, name = '', sort] = /^(\w+)(?:\(sort: (\w+)\))?$/.exec(each) ?? [];
        return `${columnOf.get(name)}${sort === 'Desc' ? ' DESC' : ''}`;
      })
      .join(',');
  const blocks = lines.flatMap((line) => {
    const [, kind, names = ''] = /^@@(id|unique|index)\(\[(.*?)\]\)/.exec(line) ?? [];
    return kind === undefined ? [] : [`${kind === 'id' ? 'primary' : kind} ${list(names)}`];
  });
  const single = fields.flatMap(({ column, attributes }) => [
    ...(/@id\b/.test(attributes) ? [`primary ${column}`] : []),
    ...(/@unique\b/.test(attributes) ? [`unique ${column}`] : []),
  ]);
  return {
    name: model.table,
    columns: Object.fromEntries(
      fields.map((field) => [
        field.column,
        { type: postgresType(field), nullable: field.isOptional, default: defaultOf(field) },
      ]),
    ),
    indexes: [...blocks, ...single].sort(),
    bonds: model.fields.flatMap((field) => bondOf(model, field, models)).sort(),
  };
}

export function readSchema(text: string): Table[] {
  const models = new Map(
    [...text.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)].map(([, name = '', body = '']) => [name, readModel(body)]),
  );
  return [...models.values()].map((model) => tableOf(model, models)).sort((a, b) => (a.name < b.name ? -1 : 1));
}
