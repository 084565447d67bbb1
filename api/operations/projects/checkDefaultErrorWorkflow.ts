import { need } from '../../../domain/access/stepPermissions.ts';
import { placed } from '../../../domain/place.ts';
import { Problem } from '../../../domain/problem.ts';
import { readWorkflowPlace } from '../../../prisma/store/workflow/findWorkflow.ts';
import type { Caller } from '../../access/caller.ts';
import { requireNeeds } from '../../access/requireNeeds.ts';
import type { Services } from '../../services.ts';

const PATH = 'onFailureWorkflowId';

/** Refuses an error workflow outside the workspace, or one that the caller may not start. */
export async function checkDefaultErrorWorkflow({
  caller,
  body = {},
  services,
}: {
  caller: Caller;
  body?: object | undefined;
  services: Services;
}): Promise<void> {
  const { onFailureWorkflowId: id } = body as { onFailureWorkflowId?: string | null };
  if (id == null) return;
  requireNeeds(caller, [need('executions:run', PATH, 'starting another workflow')]);
  if (await readWorkflowPlace(services.database, caller.workspaceId, id)) return;
  const errors = [{ path: PATH, message: `there is no workflow ${id}` }];
  throw new Problem('VALIDATION_FAILED', errors.map(placed).join('; '), { errors });
}
