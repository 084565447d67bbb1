import type { UIMessage } from 'ai';
import { toolNameOf } from '../../../domain/agent/toolNames.ts';

type Part = UIMessage['parts'][number];

/** A call of a tool as messages show it. */
export interface ToolPart {
  type: string;
  toolName: string;
  toolCallId: string;
  state: string;
  input?: unknown;
  rawInput?: unknown;
  output?: unknown;
  errorText?: string;
  approval?: { id: string; approved?: boolean; reason?: string };
}

/** Undefined of a part that is no call. */
export function toolPartOf(part: Part): ToolPart | undefined {
  const toolName = toolNameOf(part);
  return toolName === undefined ? undefined : ({ ...part, toolName } as unknown as ToolPart);
}

/** The calls that a person is asked about: those of the newest message alone can be answered. */
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

/** The steps of a call of the tool `plan`; undefined while they are not whole. */
export function planSteps(input: unknown): PlanStep[] | undefined {
  const steps = (input as { steps?: unknown } | undefined)?.steps;
  if (!Array.isArray(steps)) return undefined;
  return steps.flatMap((step: unknown) => {
    const { title, status = 'open' } = (step ?? {}) as { title?: unknown; status?: unknown };
    return typeof title === 'string' ? [{ title, status: String(status) }] : [];
  });
}
