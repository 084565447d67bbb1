import { findCircle } from '../../domain/workflow/circle.ts';
import { MAXIMUM_DEPTH } from '../../domain/workflow/controlLimits.ts';
import type { NamedWorkflow } from '../../domain/workflow/namedWorkflows.ts';
import type { Database } from '../../prisma/client.ts';
import { type FoundWorkflow, findNamedWorkflows } from '../../prisma/store/workflow/findNamedWorkflows.ts';
import type { DefinitionCache } from './definitionCache.ts';

export interface CircleStart {
  name: string;
  projectId?: string | undefined;
  /** Absent if nothing is stored. */
  workflowId?: string | undefined;
  /** The name that others use; required if it is not stored. */
  slug?: string | undefined;
  calls: readonly NamedWorkflow[];
}

export interface WorkflowCircle {
  /** The node of the starting workflow that leads into the circle. */
  nodeId: string;
  /** `One → Other → One` */
  path: string;
}

interface Place {
  name: string;
  projectId: string | undefined;
  calls: readonly NamedWorkflow[];
  leadsTo: (string | undefined)[];
}

const UNSTORED = 'unstored';

/** Finds a circle of workflows, reached through fixed ids and slugs in the newest versions. One statement per level. */
export async function workflowCircle(
  database: Database,
  definitions: DefinitionCache,
  workspaceId: string,
  start: CircleStart,
): Promise<WorkflowCircle | undefined> {
  if (start.calls.length === 0) return undefined;
  const root = start.workflowId ?? UNSTORED;
  const places = new Map<string, Place>();
  const enter = (id: string, place: Omit<Place, 'leadsTo'>) => {
    const entered = { ...place, leadsTo: [] };
    places.set(id, entered);
    return entered;
  };
  let level: Place[] = [enter(root, { name: start.name, projectId: start.projectId, calls: start.calls })];
  // A deeper circle is refused for its depth first.
  for (let depth = 0; depth < MAXIMUM_DEPTH; depth++) {
    const calls = level.flatMap((place) => place.calls.map((call) => ({ ...call, projectId: place.projectId, place })));
    if (calls.length === 0) break;
    const found = await findNamedWorkflows(database, workspaceId, calls);
    const next: Place[] = [];
    for (const [index, call] of calls.entries()) {
      const workflow = found[index];
      const isStart = meansStart(start, call, workflow);
      call.place.leadsTo.push(isStart ? root : workflow?.id);
      if (isStart || !workflow || places.has(workflow.id)) continue;
      const { id, name, projectId, versionId } = workflow;
      const { calls: further } =
        versionId === null ? { calls: [] } : await definitions.get({ workspaceId, executionId: id, versionId });
      next.push(enter(id, { name, projectId, calls: further }));
    }
    level = next;
  }
  const circle = findCircle(root, (id) => (places.get(id)?.leadsTo ?? []).filter((to) => to !== undefined));
  if (!circle) return undefined;
  const first = places.get(root)?.leadsTo.indexOf(circle[1]) ?? -1;
  return {
    nodeId: start.calls[first]?.nodeId ?? '',
    path: circle.map((id) => places.get(id)?.name).join(' → '),
  };
}

/** True also for an unstored start: its slug would mean another workflow or none until it is stored. */
function meansStart(
  { workflowId, slug, projectId }: CircleStart,
  call: { by: string; name: string; projectId: string | undefined },
  found: FoundWorkflow | undefined,
): boolean {
  if (found && found.id === workflowId) return true;
  if (call.by !== 'slug' || call.name !== slug || workflowId !== undefined) return false;
  return found === undefined || call.projectId === projectId;
}
