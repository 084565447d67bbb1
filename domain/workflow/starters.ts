import { pathTo } from '../place.ts';
import type { TriggerNode } from './definition.ts';
import type { PlacedNode } from './nodeShape.ts';
import type { Problems } from './problems.ts';

/** A question can exclude the starter only if the trigger identifies a person. */
export function checkStarters(nodes: readonly PlacedNode[], trigger: TriggerNode, problems: Problems): void {
  if (knowsPersons(trigger)) return;
  for (const { node, path } of nodes) {
    if (node.type !== 'input' || node.inputs?.excludeStarter !== true) continue;
    const message = `has no effect: with a trigger of type ${trigger.type}, the starter is unknown`;
    const place = pathTo(pathTo(path, 'inputs'), 'excludeStarter');
    problems.report({ path: place, message, nodeId: node.id, code: 'EXCLUDES_NOBODY', severity: 'error' });
  }
}

/** Polls have no author, except those of changes in this workspace. */
function knowsPersons(trigger: TriggerNode): boolean {
  const { type } = trigger;
  return type === 'manual' || type === 'queue' || (type === 'poll' && trigger.config.appId === 'objects');
}
