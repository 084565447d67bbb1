import type { UIMessage } from 'ai';
import type { AgentDefinition } from './definition.ts';
import { PLAN_TOOL } from './toolNames.ts';
import { toolPartOf } from './toolPart.ts';

export function plans({
  enablePlanning,
  requirePlanApproval,
}: Partial<Pick<AgentDefinition, 'enablePlanning' | 'requirePlanApproval'>>): boolean {
  return enablePlanning === true || requirePlanApproval === true;
}

/** After approval, other tools may run. */
export function isPlanApproved({ parts }: Pick<UIMessage, 'parts'>): boolean {
  return parts.some((part) => {
    const call = toolPartOf(part);
    return call?.toolName === PLAN_TOOL && call.approval?.approved === true;
  });
}
