import { v7 } from 'uuid';
import { definitionRow as keptAgent } from '../../../domain/agent/definitionRow.ts';
import { appLimits, readApp } from '../../../domain/app/customManifest.ts';
import type { BundleKind } from '../../../domain/bundle/bundle.ts';
import { isEqualJson } from '../../../domain/isEqualJson.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { definitionRow as keptWorkflow } from '../../../domain/workflow/definitionRow.ts';
import { giveAppSecrets, makeAppSecrets } from '../../../engine/apps/appSecrets.ts';
import type { Database } from '../../../prisma/client.ts';
import { type AgentChange, upsertAgents } from '../../../prisma/store/agent/upsertAgent.ts';
import { type AppChange, upsertApps } from '../../../prisma/store/app/upsertApp.ts';
import { changeEach, type RowChange } from '../../../prisma/store/bulkWrites.ts';
import { markApplied, renameRows } from '../../../prisma/store/bundle/writeBundle.ts';
import { insertKnowledgeBases, type NewKnowledgeBase } from '../../../prisma/store/knowledge/knowledgeBases.ts';
import { KNOWLEDGE, KNOWLEDGE_TO_EMBED } from '../../../prisma/store/knowledge/resource.ts';
import { readStoredType, type TypeMembers } from '../../../prisma/store/objectType/storedType.ts';
import { applyRules, insertTypes, updateType } from '../../../prisma/store/objectType/writeType.ts';
import { insertQueues, type NewQueue } from '../../../prisma/store/queue/insertQueue.ts';
import { QUEUE } from '../../../prisma/store/queue/resource.ts';
import type { Resource } from '../../../prisma/store/resource.ts';
import { VARIABLE_TO_SEAL } from '../../../prisma/store/variable/resource.ts';
import { insertVariables } from '../../../prisma/store/variable/variables.ts';
import { upsertWorkflows, type WorkflowChange } from '../../../prisma/store/workflow/upsertWorkflow.ts';
import { type Caller, credentialOf, userIdOf } from '../../access/caller.ts';
import type { Services } from '../../services.ts';
import { EMBEDDING } from '../knowledge/knowledgeOperations.ts';
import { sealedValue } from '../variables/sealedValue.ts';
import type { AnnouncedRules } from './announceRules.ts';
import { agentDefinitionIn } from './checkAgent.ts';
import { rulesOf } from './checkOthers.ts';
import type { WantedResource } from './checkResources.ts';
import { definitionIn } from './checkWorkflow.ts';
import { planChanged } from './planChanged.ts';

export interface Writing {
  services: Services;
  database: Database;
  caller: Caller;
  projectId: string;
  owner: string;
  announced: AnnouncedRules;
  /** Receives the signing secrets that the write makes, by the slug of the app. */
  madeSecrets: Map<string, string>;
}

/** Named resources first: a trigger of the database checks the queue of a workflow. */
const ORDER: readonly BundleKind[] = ['app', 'objectType', 'knowledge', 'queue', 'variable', 'workflow', 'agent'];

type Writes = (writing: Writing, wanted: readonly WantedResource[]) => Promise<void>;

const WRITES: Record<BundleKind, Writes> = {
  agent: writeAgents,
  app: writeApps,
  knowledge: writeBases,
  objectType: writeTypes,
  queue: writeQueues,
  variable: writeVariables,
  workflow: writeWorkflows,
};

/** Writes changes within a transaction, one statement of the single upserts per kind. Throws PLAN_CHANGED. */
export async function writeWanted(writing: Writing, changing: readonly WantedResource[]): Promise<void> {
  const { database, caller, projectId, owner } = writing;
  for (const kind of ORDER) {
    const ofKind = changing.filter((each) => each.kind === kind);
    await rename(writing, kind, ofKind);
    await WRITES[kind](writing, ofKind);
    const ids = ofKind.map(({ id }) => id);
    await markApplied(database, caller.workspaceId, { projectId, owner }, kind, ids);
  }
}

async function rename(
  { database, caller }: Writing,
  kind: BundleKind,
  wanted: readonly WantedResource[],
): Promise<void> {
  const renames = wanted.flatMap(({ id, slug, stored }) =>
    stored?.movedFrom === undefined ? [] : [{ id, slug: stored.movedFrom, to: slug }],
  );
  if ((await renameRows(database, caller.workspaceId, kind, renames)) < renames.length) throw planChanged();
}

async function writeWorkflows(
  { services, database, caller, projectId }: Writing,
  wanted: readonly WantedResource[],
): Promise<void> {
  const changes = wanted.map(({ id, slug, fields }): WorkflowChange => {
    const { name, description, isActive, timeoutMs, onFailureWorkflowId, ...more } =
      fields as unknown as WorkflowChange;
    const { maxConcurrent, exposeAsTool, isInternal, orientation } = more;
    return {
      ...{ workflowId: id, versionId: v7(), projectId, slug, name, description, isActive, timeoutMs },
      ...{ onFailureWorkflowId, maxConcurrent, exposeAsTool, isInternal, orientation, managedByCode: true },
      ...keptWorkflow(definitionIn(fields), services.catalogue),
      by: credentialOf(caller),
    };
  });
  requireAll(wanted, await upsertWorkflows(database, caller.workspaceId, changes));
}

async function writeAgents(
  { services, database, caller, projectId }: Writing,
  wanted: readonly WantedResource[],
): Promise<void> {
  const changes = wanted.map(({ id, slug, fields }): AgentChange => {
    const { name, description, builderSetupCompletedAt, builderCanvasPositions } = fields as unknown as AgentChange;
    return {
      ...{ agentId: id, projectId, slug, name, description, builderSetupCompletedAt, builderCanvasPositions },
      managedByCode: true,
      ...keptAgent(agentDefinitionIn(fields), services.catalogue),
    };
  });
  requireAll(wanted, await upsertAgents(database, caller.workspaceId, changes));
}

function requireAll(wanted: readonly WantedResource[], written: readonly (string | null)[]): void {
  if (wanted.some(({ id }, index) => written[index] !== id)) throw planChanged();
}

async function writeApps(writing: Writing, wanted: readonly WantedResource[]): Promise<void> {
  const { services, database, caller } = writing;
  const { catalogue, config } = services;
  const changes = wanted.map(({ id, slug, fields }): AppChange => {
    const { app } = readApp({ ...fields, slug }, appLimits(config), catalogue);
    if (!app) throw new Error(`the app ${slug} was checked and is not valid`);
    return { id, app, managedByCode: true, createdByUserId: userIdOf(caller) };
  });
  requireAll(wanted, await upsertApps(database, caller.workspaceId, changes, config));
  await writeAppSecrets(
    writing,
    wanted.filter((_, index) => changes[index]?.app.custom.runs.on === 'http'),
  );
}

/** The check has read the given ones, so they are valid. */
async function writeAppSecrets(
  { services: { sealer }, database, caller, madeSecrets }: Writing,
  wanted: readonly WantedResource[],
): Promise<void> {
  const given = wanted.flatMap(({ id, body: { secret } }) =>
    typeof secret === 'string' ? [{ appId: id, secret }] : [],
  );
  await giveAppSecrets({ database, sealer }, caller.workspaceId, given);
  const ids = wanted.map(({ id }) => id);
  const made = await makeAppSecrets({ database, sealer }, caller.workspaceId, ids);
  for (const { id, slug } of wanted) {
    const secret = made.get(id);
    if (secret !== undefined) madeSecrets.set(slug, secret);
  }
}

async function writeQueues(writing: Writing, wanted: readonly WantedResource[]): Promise<void> {
  const { database, caller, projectId } = writing;
  const createdByUserId = userIdOf(caller);
  const made = wanted
    .filter(({ stored }) => !stored)
    .map(({ id, slug, fields }) => ({ ...fields, id, slug, projectId, createdByUserId }) as unknown as NewQueue);
  if ((await insertQueues(database, caller.workspaceId, made)) < made.length) throw planChanged();
  await changeStored(writing, QUEUE, wanted);
}

async function writeBases(writing: Writing, wanted: readonly WantedResource[]): Promise<void> {
  const made = wanted
    .filter(({ stored }) => !stored)
    .map(({ id, slug, fields }) => ({ ...fields, id, slug }) as unknown as NewKnowledgeBase);
  await insertKnowledgeBases(writing.database, writing.caller.workspaceId, made);
  const embedsOther = ({ fields, stored }: WantedResource) =>
    stored !== undefined && EMBEDDING.some((name) => fields[name] !== stored.fields[name]);
  await changeStored(writing, KNOWLEDGE_TO_EMBED, wanted.filter(embedsOther));
  const others = wanted.filter((each) => !embedsOther(each));
  await changeStored(writing, KNOWLEDGE, others);
}

async function writeVariables(writing: Writing, wanted: readonly WantedResource[]): Promise<void> {
  const { services, database, caller, projectId } = writing;
  const { workspaceId } = caller;
  const columns = wanted.map(({ id, slug, fields, stored }) => {
    const { description, value = null, isSecret } = fields;
    const sealed = sealedValue(services.vault, { workspaceId, variableId: id }, value, isSecret === true);
    return { id, name: slug, description: description as string | null, isNew: !stored, sealed };
  });
  const made = columns
    .filter(({ isNew }) => isNew)
    .map(({ id, name, description, sealed }) => ({ id, projectId, name, description, stored: sealed }));
  if ((await insertVariables(database, workspaceId, made)) < made.length) throw planChanged();
  const changes = columns
    .filter(({ isNew }) => !isNew)
    .map(({ id, description, sealed }) => ({ id, change: { ...sealed, description } }));
  await changeRows(writing, VARIABLE_TO_SEAL, changes);
}

async function writeTypes(writing: Writing, wanted: readonly WantedResource[]): Promise<void> {
  const { database, caller } = writing;
  const createdByUserId = userIdOf(caller);
  const made = wanted
    .filter(({ stored }) => !stored)
    .map(({ id, slug, fields }) => ({ ...membersOf(fields), id, slug, rules: rulesOf(fields), createdByUserId }));
  await insertTypes(database, caller.workspaceId, made);
  for (const each of wanted) if (each.stored) await changeType(writing, each);
}

async function changeType(writing: Writing, { id, slug, fields }: WantedResource): Promise<void> {
  const { database, announced } = writing;
  const changes = membersOf(fields);
  const change = announced.get(id);
  const isWritten =
    change === undefined
      ? await updateType(database, { id, revision: await revisionOf(writing, slug) }, changes)
      : await applyRules(database, id, change, rulesOf(fields), changes);
  if (!isWritten) throw planChanged();
}

function membersOf(fields: JsonObject): Required<Omit<TypeMembers, 'rules'>> {
  const { name, description, isEnabled } = fields as unknown as TypeMembers;
  return { name, description, isEnabled, managedByCode: true };
}

/** Its row is locked. */
async function revisionOf({ database, caller }: Writing, slug: string): Promise<number> {
  return (await readStoredType(database, caller.workspaceId, slug))?.revision ?? 0;
}

async function changeStored(writing: Writing, resource: Resource, wanted: readonly WantedResource[]): Promise<void> {
  const changes = wanted.flatMap(({ id, fields, stored }): RowChange[] => {
    const other = stored
      ? Object.entries(fields).filter(([key, value]) => !isEqualJson(value, stored.fields[key]))
      : [];
    return other.length > 0 ? [{ id, change: Object.fromEntries(other) }] : [];
  });
  await changeRows(writing, resource, changes);
}

async function changeRows({ database, caller }: Writing, resource: Resource, changes: RowChange[]): Promise<void> {
  const found = await changeEach(database, caller, resource, changes);
  if (found.length < changes.length) throw planChanged();
}
