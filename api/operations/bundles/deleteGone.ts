import type { BundleKind, StoredResource } from '../../../domain/bundle/bundle.ts';
import type { Database } from '../../../prisma/client.ts';
import { AGENT } from '../../../prisma/store/agent/resource.ts';
import { APP } from '../../../prisma/store/app/resource.ts';
import { deleteMany } from '../../../prisma/store/bulkWrites.ts';
import { KNOWLEDGE } from '../../../prisma/store/knowledge/resource.ts';
import { OBJECT_TYPE } from '../../../prisma/store/objectType/resource.ts';
import { QUEUE } from '../../../prisma/store/queue/resource.ts';
import type { Resource } from '../../../prisma/store/resource.ts';
import { areUsed } from '../../../prisma/store/usedBy.ts';
import { VARIABLE } from '../../../prisma/store/variable/resource.ts';
import { WORKFLOW } from '../../../prisma/store/workflow/resource.ts';
import type { Caller } from '../../access/caller.ts';
import { planChanged } from './planChanged.ts';

const RESOURCES: Record<BundleKind, Resource> = {
  agent: AGENT,
  app: APP,
  knowledge: KNOWLEDGE,
  objectType: OBJECT_TYPE,
  queue: QUEUE,
  variable: VARIABLE,
  workflow: WORKFLOW,
};

/** Dependents are deleted first. */
const ORDER: readonly BundleKind[] = ['agent', 'workflow', 'queue', 'variable', 'knowledge', 'objectType', 'app'];

/** Deletes, within a transaction, resources that nothing remaining uses; cycles go together. Throws PLAN_CHANGED. */
export async function deleteGone(database: Database, caller: Caller, gone: readonly StoredResource[]): Promise<void> {
  if (gone.length === 0) return;
  if (await areUsed(database, caller.workspaceId, gone)) throw planChanged();
  for (const kind of ORDER) {
    const ids = gone.filter((each) => each.kind === kind).map(({ id }) => id);
    if (ids.length === 0) continue;
    if ((await deleteMany(database, caller, RESOURCES[kind], ids)) < ids.length) throw planChanged();
  }
}
