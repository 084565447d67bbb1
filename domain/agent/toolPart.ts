import type { ProviderMetadata, UIMessage } from 'ai';
import { toolNameOf } from './toolNames.ts';

type Part = UIMessage['parts'][number];

/** A call of a tool as a message has it, whatever its state: the types of `ai` have one for each state. */
export interface ToolPart {
  type: string;
  toolName: string;
  toolCallId: string;
  state: string;
  input?: unknown;
  /** What the model sent where it was not taken as an input. */
  rawInput?: unknown;
  output?: unknown;
  errorText?: string;
  approval?: { id: string; approved?: boolean; reason?: string };
  callProviderMetadata?: ProviderMetadata;
  resultProviderMetadata?: ProviderMetadata;
}

/** Undefined of a part that is no call. */
export function toolPartOf(part: Part): ToolPart | undefined {
  const toolName = toolNameOf(part);
  return toolName === undefined ? undefined : ({ ...part, toolName } as unknown as ToolPart);
}
