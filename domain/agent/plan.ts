import type { UIMessage } from 'ai';
import type { AgentDefinition } from './definition.ts';
import { PLAN_TOOL } from './toolNames.ts';
import { toolPartOf } from './toolPart.ts';

/** A turn begins with a plan. */
export function plans({
  enablePlanning,
  requirePlanApproval,
}: Partial<Pick<AgentDefinition, 'enablePlanning' | 'requirePlanApproval'>>): boolean {
  return enablePlanning === true || requirePlanApproval === true;
}

/** Whether a person has approved a plan in the message, so that later tools may run. */
export function isPlanApproved({ parts }: Pick<UIMessage, 'parts'>): boolean {
  return parts.some((part) => {
    const call = toolPartOf(part);
    return call?.toolName === PLAN_TOOL && call.approval?.approved === true;
  });
}
