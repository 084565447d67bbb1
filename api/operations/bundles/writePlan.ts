import { v7 } from 'uuid';
import { keptDefinition as keptAgent } from '../../../domain/agent/keptDefinition.ts';
import type { BundleKind } from '../../../domain/bundle/bundle.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { ChunkRules } from '../../../domain/knowledge/chunk.ts';
import type { Embedding } from '../../../domain/knowledge/embedding.ts';
import { keptDefinition as keptWorkflow } from '../../../domain/workflow/keptDefinition.ts';
import type { Database } from '../../../prisma/client.ts';
import { upsertAgent } from '../../../prisma/store/agent/upsertAgent.ts';
import { isAppliedKind, markApplied } from '../../../prisma/store/bundle/writeBundle.ts';
import { changeResource } from '../../../prisma/store/changeResource.ts';
import { insertKnowledgeBase } from '../../../prisma/store/knowledge/knowledgeBases.ts';
import { KNOWLEDGE, KNOWLEDGE_TO_EMBED } from '../../../prisma/store/knowledge/resource.ts';
import { readStoredType } from '../../../prisma/store/objectType/storedType.ts';
import { applyRules, insertType, updateType } from '../../../prisma/store/objectType/writeType.ts';
import { insertQueue } from '../../../prisma/store/queue/insertQueue.ts';
import { QUEUE } from '../../../prisma/store/queue/resource.ts';
import type { Resource } from '../../../prisma/store/resource.ts';
import { VARIABLE_TO_SEAL } from '../../../prisma/store/variable/resource.ts';
import { insertVariable } from '../../../prisma/store/variable/variables.ts';
import { upsertWorkflow } from '../../../prisma/store/workflow/upsertWorkflow.ts';
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
  /** Of the transaction. */
  database: Database;
  caller: Caller;
  projectId: string;
  announced: AnnouncedRules;
}

/** What others name comes first: a database trigger looks for the queue of a workflow. */
const ORDER: readonly BundleKind[] = ['objectType', 'knowledge', 'queue', 'variable', 'workflow', 'agent'];

const WRITES: Record<BundleKind, (writing: Writing, wanted: WantedResource) => Promise<void>> = {
  agent: writeAgent,
  knowledge: writeKnowledge,
  objectType: writeType,
  queue: writeQueue,
  variable: writeVariable,
  workflow: writeWorkflow,
};

/** Writes what changes, within a transaction, by the statements of the single upserts. Throws PLAN_CHANGED. */
export async function writeWanted(writing: Writing, changing: readonly WantedResource[]): Promise<void> {
  const { database, caller, projectId } = writing;
  for (const kind of ORDER) {
    const ofKind = changing.filter((each) => each.kind === kind);
    for (const each of ofKind) await WRITES[kind](writing, each);
    if (!isAppliedKind(kind)) continue;
    const ids = ofKind.map(({ id }) => id);
    await markApplied(database, caller.workspaceId, projectId, kind, ids);
  }
}

async function writeWorkflow(
  { services, database, caller, projectId }: Writing,
  { id, slug, fields }: WantedResource,
): Promise<void> {
  const { name, description, isActive, timeoutMs, onFailureWorkflowId, maxConcurrent, isInternal, orientation } =
    fields as unknown as Parameters<typeof upsertWorkflow>[2];
  const stored = await upsertWorkflow(database, caller.workspaceId, {
    ...{ workflowId: id, versionId: v7(), projectId, slug, name, description, isActive, timeoutMs },
    ...{ onFailureWorkflowId, maxConcurrent, isInternal, orientation, managedByCode: true },
    ...keptWorkflow(definitionIn(fields), services.catalogue),
    by: credentialOf(caller),
  });
  if (stored?.id !== id) throw planChanged();
}

async function writeAgent(
  { services, database, caller, projectId }: Writing,
  { id, slug, fields }: WantedResource,
): Promise<void> {
  const { name, description, builderSetupCompletedAt, builderCanvasPositions } = fields as unknown as Parameters<
    typeof upsertAgent
  >[2];
  const stored = await upsertAgent(database, caller.workspaceId, {
    ...{ agentId: id, projectId, slug, name, description, builderSetupCompletedAt, builderCanvasPositions },
    managedByCode: true,
    ...keptAgent(agentDefinitionIn(fields), services.catalogue),
  });
  if (stored?.id !== id) throw planChanged();
}

async function writeQueue(writing: Writing, wanted: WantedResource): Promise<void> {
  const { database, caller, projectId } = writing;
  const { id, slug, fields, stored } = wanted;
  if (stored) return change(writing, QUEUE, wanted);
  const createdByUserId = userIdOf(caller);
  const made = { ...fields, id, slug, projectId, createdByUserId } as unknown as Parameters<typeof insertQueue>[2];
  if (!(await insertQueue(database, caller.workspaceId, made))) throw planChanged();
}

async function writeKnowledge(writing: Writing, wanted: WantedResource): Promise<void> {
  const { id, slug, fields, stored } = wanted;
  if (!stored) {
    const made = { ...fields, id, slug } as unknown as Embedding &
      ChunkRules & { name: string; description: string | null };
    return insertKnowledgeBase(writing.database, writing.caller.workspaceId, { ...made, id, slug });
  }
  const isOther = EMBEDDING.some((name) => fields[name] !== stored.fields[name]);
  return change(writing, isOther ? KNOWLEDGE_TO_EMBED : KNOWLEDGE, wanted);
}

async function writeVariable(
  { services, database, caller, projectId }: Writing,
  wanted: WantedResource,
): Promise<void> {
  const { id, slug, fields, stored } = wanted;
  const { workspaceId } = caller;
  const { description, value = null, isSecret } = fields;
  const sealed = sealedValue(services.vault, { workspaceId, variableId: id }, value, isSecret === true);
  const text = description as string | null;
  if (stored) {
    const all = { ...sealed, description: text } as unknown as JsonObject;
    await changeResource(database, caller, VARIABLE_TO_SEAL, id, all);
    return;
  }
  await insertVariable(database, workspaceId, { id, projectId, name: slug, description: text, stored: sealed });
}

async function writeType(writing: Writing, { id, slug, fields, stored }: WantedResource): Promise<void> {
  const rules = rulesOf(fields);
  const members = { ...fields, managedByCode: true } as unknown as {
    name: string;
    description: string | null;
    isEnabled: boolean;
    managedByCode: boolean;
  };
  const { name, description, isEnabled, managedByCode } = members;
  const { database, caller, announced } = writing;
  const { workspaceId } = caller;
  if (!stored) {
    const createdByUserId = userIdOf(caller);
    await insertType(database, workspaceId, {
      id,
      slug,
      name,
      description,
      isEnabled,
      managedByCode,
      rules,
      createdByUserId,
    });
    return;
  }
  const changes = { name, description, isEnabled, managedByCode };
  const change = announced.get(id);
  const isWritten =
    change === undefined
      ? await updateType(database, { id, revision: await revisionOf(writing, slug) }, changes)
      : await applyRules(database, id, change, rules, changes);
  if (!isWritten) throw planChanged();
}

/** Its row is held: nobody writes it meanwhile. */
async function revisionOf({ database, caller }: Writing, slug: string): Promise<number> {
  return (await readStoredType(database, caller.workspaceId, slug))?.revision ?? 0;
}

/** The fields that become others, by the table of the resource. */
async function change(
  { database, caller }: Writing,
  resource: Resource,
  { id, fields, stored }: WantedResource,
): Promise<void> {
  const other = Object.entries(fields).filter(([key, value]) => value !== stored?.fields[key]);
  if (other.length > 0) await changeResource(database, caller, resource, id, Object.fromEntries(other));
}
