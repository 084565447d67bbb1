import { derivedId, timeOf } from '../../domain/derivedId.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Author } from '../../domain/object/author.ts';
import { refuse } from '../../domain/object/checkObject.ts';
import type { ObjectChecks } from '../../domain/object/compiledRules.ts';
import { compiledType } from '../../domain/object/compiledTypes.ts';
import { columnsOfRow, type ImportColumn, planImport } from '../../domain/object/importColumns.ts';
import { importValues } from '../../domain/object/importRow.ts';
import { Problem } from '../../domain/problem.ts';
import type { Database } from '../../prisma/client.ts';
import { type ObjectType, type ObjectTypeName, readObjectType } from '../../prisma/store/objectType/readObjectType.ts';
import { OBJECT_TYPE } from '../../prisma/store/objectType/resource.ts';
import { notFound } from '../../prisma/store/readResource.ts';
import { inLanes } from '../inLanes.ts';
import { type BatchContext, ImportBatch, type ImportRow, type RowOutcome } from './importBatch.ts';
import { matchFieldOf } from './matchFieldOf.ts';
import { retryOnConflict } from './retryOnConflict.ts';

export interface ImportRequest {
  type: ObjectTypeName;
  rows: readonly JsonObject[];
  /** Undefined: each column sets the target of the same name. */
  columnMappings: Readonly<Record<string, string>> | undefined;
  /** Undefined: every row creates an entity. */
  matchField: string | undefined;
  dryRun: boolean;
}

export interface ImportContext {
  database: Database;
  workspaceId: string;
  /** The ids of entities are derived from it, so a repeated import creates nothing twice. */
  importId: string;
  by: Author;
  checks: ObjectChecks;
}

export interface ImportSummary {
  total: number;
  created: number;
  updated: number;
  failed: number;
  errors: { row: number; field?: string; message: string }[];
}

/** Rows per statement: half of the usual batch, because one per lane may wait for the embedded database. */
const BATCH_ROWS = 500;
/** Batches at once: one is written, the next one is checked, and the one after reads its type. */
const LANES = 3;

/**
 * A failed row is reported and does not stop the import. Throws a Problem for the whole import, once no write is
 * running.
 */
export async function importObjects(context: ImportContext, request: ImportRequest): Promise<ImportSummary> {
  const { rows } = request;
  const summary: ImportSummary = { total: rows.length, created: 0, updated: 0, failed: 0, errors: [] };
  const planned: BatchContext['planned'] = new Map();
  await typeToImport(context, request);
  const starts = Array.from({ length: Math.ceil(rows.length / BATCH_ROWS) }, (_, at) => at * BATCH_ROWS);
  // A row that matches by a field depends on the entities of earlier rows.
  const lanes = request.matchField === undefined ? LANES : 1;
  await inLanes(lanes, starts, async (start) => {
    let open: OpenRow[] | undefined;
    await retryOnConflict('entity type', async () => {
      const plan = await typeToImport(context, request);
      const batch = new ImportBatch({ ...context, ...plan, dryRun: request.dryRun, planned });
      open ??= rows.slice(start, start + BATCH_ROWS).map((row, index) => rowOf(context, row, start + index + 1));
      const checked = await batch.check(open.map((row) => ({ ...row, values: valuesOf(row.cells, plan) })));
      const outcomes = await batch.write(checked);
      count(summary, outcomes);
      // The others met a concurrent change.
      const done = new Set(outcomes.map(({ row }) => row));
      open = open.filter(({ row }) => !done.has(row));
      return open.length === 0 || undefined;
    });
  });
  // Batches end in any order, and rows that met a concurrent change were repeated last.
  summary.errors.sort((a, b) => a.row - b.row);
  return summary;
}

interface OpenRow {
  row: number;
  id: string;
  cells: JsonObject;
}

function rowOf({ importId }: ImportContext, cells: JsonObject, row: number): OpenRow {
  // One millisecond per row, so that ids, and exports by id, have the order of the rows.
  return { row, id: derivedId(importId, `row ${row}`, timeOf(importId) + row), cells };
}

interface Plan {
  type: ObjectType;
  /** Undefined: by the names of each row. */
  columns: readonly ImportColumn[] | undefined;
  match: { attribute: string } | 'name' | undefined;
}

/** Returns the current type, and the columns' targets by its rules. Throws NOT_FOUND, CONFLICT, VALIDATION_FAILED. */
async function typeToImport({ database, workspaceId }: ImportContext, request: ImportRequest): Promise<Plan> {
  const type = await readObjectType(database, workspaceId, request.type);
  if (!type) throw notFound(OBJECT_TYPE);
  if (!type.isEnabled) throw new Problem('CONFLICT', `The entity type ${JSON.stringify(type.slug)} is disabled`);
  const rules = compiledType(type.id, type.version, type.rules);
  const { columnMappings, matchField } = request;
  const plan = columnMappings && planImport(columnMappings, rules, { updates: matchField !== undefined });
  const problems = plan?.problems ?? [];
  const { match, problem } = matchField === undefined ? {} : matchFieldOf(matchField, rules);
  if (problem) problems.push(problem);
  if (problems.length > 0) refuse('VALIDATION_FAILED', problems);
  return { type, columns: plan?.columns, match };
}

function valuesOf(cells: JsonObject, { type, columns }: Plan): ImportRow['values'] {
  const rules = compiledType(type.id, type.version, type.rules);
  return importValues(cells, columns ?? columnsOfRow(cells, rules), rules);
}

function count(summary: ImportSummary, outcomes: readonly RowOutcome[]): void {
  for (const { row, became, errors } of outcomes) {
    summary[became]++;
    summary.errors.push(...errors.map((error) => ({ row, ...error })));
  }
}
