import type { BundleKind, StoredResource } from '../../../domain/bundle/bundle.ts';
import type { Database } from '../../../prisma/client.ts';
import { AGENT } from '../../../prisma/store/agent/resource.ts';
import { deleteResource } from '../../../prisma/store/deleteResource.ts';
import { KNOWLEDGE } from '../../../prisma/store/knowledge/resource.ts';
import { OBJECT_TYPE } from '../../../prisma/store/objectType/resource.ts';
import { QUEUE } from '../../../prisma/store/queue/resource.ts';
import type { Resource } from '../../../prisma/store/resource.ts';
import { VARIABLE } from '../../../prisma/store/variable/resource.ts';
import { WORKFLOW } from '../../../prisma/store/workflow/resource.ts';
import type { Caller } from '../../access/caller.ts';

const RESOURCES: Record<BundleKind, Resource> = {
  agent: AGENT,
  knowledge: KNOWLEDGE,
  objectType: OBJECT_TYPE,
  queue: QUEUE,
  variable: VARIABLE,
  workflow: WORKFLOW,
};

/** Users go before what they use. */
const ORDER: readonly BundleKind[] = ['agent', 'workflow', 'queue', 'variable', 'knowledge', 'objectType'];

/** Deletes as the single deletions do, within a transaction. */
export async function deleteGone(database: Database, caller: Caller, gone: readonly StoredResource[]): Promise<void> {
  for (const kind of ORDER) {
    for (const { id } of gone.filter((each) => each.kind === kind)) {
      await deleteResource(database, caller, RESOURCES[kind], id);
    }
  }
}
