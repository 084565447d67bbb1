import type { ScopeRef } from '../../domain/execution/activityCalls.ts';
import { iterationKey, iterationParts } from '../../domain/execution/iteration.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import { ownMember, setKey } from '../../domain/ownMember.ts';
import type { CompiledDefinition } from '../../domain/workflow/compile.ts';
import type { QuestionLinks } from './questionLinks.ts';

/** Adds the links that expressions name. They exist before the question, because parallel branches have no order. */
export function addLinks(
  { links }: { links: QuestionLinks },
  { linked }: CompiledDefinition,
  { executionId, iteration = '' }: ScopeRef,
  steps: Scope['steps'],
): void {
  if (linked.length === 0) return;
  const parts = iterationParts(iteration);
  for (const { id, parentId } of linked) {
    const part = parts.find(({ loopId }) => loopId === parentId);
    if (parentId !== undefined && !part) continue;
    const of = part ? iterationKey(part.parent, part.loopId, part.index) : '';
    setKey(steps, id, { ...ownMember(steps, id), link: links.linkOf({ executionId, nodeId: id, iteration: of }) });
  }
}
