import { Problem } from '../../../domain/problem.ts';
import type { Definition } from '../../../domain/workflow/definition.ts';
import type { Caller } from '../../access/caller.ts';
import type { Services } from '../../services.ts';
import { connectionProblems } from './connectionProblems.ts';

export async function requireConnections(
  services: Services,
  caller: Caller,
  { trigger, nodes }: Definition,
  placeOf: (path: string) => string,
): Promise<void> {
  const found = await connectionProblems(
    services,
    { workspaceId: caller.workspaceId, author: caller },
    nodes,
    trigger.type === 'poll' ? trigger.config : undefined,
  );
  if (found.length === 0) return;
  const errors = found.map((each) => ({ ...each, path: placeOf(each.path) }));
  throw new Problem('VALIDATION_FAILED', 'A connection cannot be used', { errors });
}
