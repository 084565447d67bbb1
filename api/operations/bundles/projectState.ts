import { createHash } from 'node:crypto';
import type { Viewer } from '../../../domain/access/viewer.ts';
import type { AgentDefinition } from '../../../domain/agent/definition.ts';
import { appFields } from '../../../domain/app/appFields.ts';
import type { CustomApp } from '../../../domain/app/customApp.ts';
import type { StoredResource } from '../../../domain/bundle/bundle.ts';
import { inOrder } from '../../../domain/bundle/bundle.ts';
import { settingsOf } from '../../../domain/bundle/forms.ts';
import { type Named, Names } from '../../../domain/bundle/names.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { namedApps } from '../../../domain/reference/namedApps.ts';
import { referencesIn } from '../../../domain/reference/references.ts';
import { canonicalJson } from '../../../domain/workflow/canonical.ts';
import { EventLoopYield } from '../../../engine/fairness/eventLoopYield.ts';
import { sealedOf } from '../../../engine/secrets/sealer.ts';
import type { Database } from '../../../prisma/client.ts';
import { type NamedRow, readNames } from '../../../prisma/store/bundle/names.ts';
import { type ResourceRow, readResources } from '../../../prisma/store/bundle/readResources.ts';
import { PROJECT } from '../../../prisma/store/project/resource.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import type { Services } from '../../services.ts';

/** The resources of a project, and those of the workspace that it can name. */
export interface ProjectState {
  resources: StoredResource[];
  names: Names;
  rows: NamedRow[];
  hash: string;
}

/** Resources of the bundle that the project lacks and the workspace may have. */
export interface Wanted {
  typeSlugs: readonly string[];
  baseSlugs: readonly string[];
  appSlugs: readonly string[];
}

/** Includes entity types, knowledge bases and apps that the project applied or names. Throws NOT_FOUND. */
export async function readProjectState(
  services: Pick<Services, 'catalogue' | 'vault'>,
  database: Database,
  viewer: Viewer,
  projectId: string,
  wanted: Wanted = { typeSlugs: [], baseSlugs: [], appSlugs: [] },
): Promise<ProjectState> {
  const { workspaceId } = viewer;
  const rows = await readNames(database, viewer);
  const ids = new Set<string>();
  const slugs = new Set(wanted.typeSlugs);
  const apps = new Set(wanted.appSlugs);
  for (;;) {
    const shared = { ids: [...ids], typeSlugs: [...slugs], baseSlugs: wanted.baseSlugs, appSlugs: [...apps] };
    const found = await readResources(database, workspaceId, projectId, shared);
    if (!found) throw notFound(PROJECT);
    const before = ids.size + slugs.size + apps.size;
    for (const { name } of found.flatMap((row) => appsOf(row, services))) apps.add(name);
    for (const { kind, name, by } of found.flatMap((row) => namedBy(row, services))) {
      if (kind === 'objectType' && by === 'slug') slugs.add(name);
      else if (kind === 'objectType' || kind === 'knowledge') ids.add(name.toLowerCase());
    }
    if (ids.size + slugs.size + apps.size > before) continue;
    const resources = inOrder(found.map((row) => storedOf(row, workspaceId, services)));
    return { resources, rows, names: new Names(projectId, rows.map(asSeen)), hash: await hashOf(resources) };
  }
}

/** A connection without its app is one that the viewer may not use. */
export function asSeen(row: NamedRow): Named {
  return { ...row, isHidden: row.kind === 'connection' && row.what === null };
}

function namedBy({ kind, fields }: ResourceRow, { catalogue }: Pick<Services, 'catalogue'>) {
  return kind === 'workflow' || kind === 'agent' || kind === 'objectType' ? referencesIn(kind, fields, catalogue) : [];
}

function appsOf({ kind, fields }: ResourceRow, { catalogue }: Pick<Services, 'catalogue'>) {
  const used = kind === 'workflow' ? fields.nodes : kind === 'agent' ? fields.tools : [];
  return namedApps((used ?? []) as { appId?: string }[], catalogue);
}

function storedOf(
  { sealed, keyId, ...row }: ResourceRow,
  workspaceId: string,
  { vault }: Pick<Services, 'vault'>,
): StoredResource {
  if (row.kind === 'agent') return { ...row, fields: agentFields(row.fields) };
  if (row.kind === 'app') return { ...row, fields: appFields(row.fields as unknown as CustomApp) };
  if (row.kind === 'workflow') return { ...row, fields: { ...row.fields, timeoutMs: numberOf(row.fields.timeoutMs) } };
  if (sealed === null || keyId === null) return row;
  const value = vault.openVariable({ workspaceId, variableId: row.id }, sealedOf({ sealed, keyId }));
  return { ...row, fields: { ...row.fields, value } };
}

function agentFields({
  name = null,
  description = null,
  builderSetupCompletedAt = null,
  builderCanvasPositions = null,
  ...definition
}: JsonObject): JsonObject {
  const settings = settingsOf(definition as unknown as AgentDefinition) as unknown as JsonObject;
  return { name, description, builderSetupCompletedAt, builderCanvasPositions, ...settings };
}

function numberOf(value: Json | undefined): Json {
  return value === null || value === undefined ? null : Number(value);
}

/** SHA-256 of canonical JSON lines, as users may see the values. Yields to other work in between. */
export async function hashOf(values: Iterable<object>): Promise<string> {
  const hash = createHash('sha256');
  const eventLoop = new EventLoopYield();
  for (const value of values) {
    hash.update(canonicalJson(value)).update('\n');
    await eventLoop.takeIfDue();
  }
  return hash.digest('base64url');
}
