import type { UIMessage } from 'ai';
import { type ToolPart, toolPartOf } from '../../../../domain/agent/toolPart.ts';

/** Returns the calls that wait for an approval. Only those of the newest message can be answered. */
export function askedIn(message: UIMessage | undefined): ToolPart[] {
  return (message?.parts ?? []).flatMap((part) => {
    const call = toolPartOf(part);
    return call?.state === 'approval-requested' && call.approval !== undefined ? [call] : [];
  });
}

export interface PlanStep {
  title: string;
  status: string;
}

/** Returns the steps of a call of the tool `plan`; undefined while the call is incomplete. */
export function planSteps(input: unknown): PlanStep[] | undefined {
  const steps = (input as { steps?: unknown } | undefined)?.steps;
  if (!Array.isArray(steps)) return undefined;
  return steps.flatMap((step: unknown) => {
    const { title, status = 'open' } = (step ?? {}) as { title?: unknown; status?: unknown };
    return typeof title === 'string' ? [{ title, status: String(status) }] : [];
  });
}
