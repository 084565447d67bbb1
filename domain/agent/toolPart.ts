import type { ProviderMetadata, UIMessage } from 'ai';
import { toolNameOf } from './toolNames.ts';

type Part = UIMessage['parts'][number];

export interface ToolPart {
  type: string;
  toolName: string;
  toolCallId: string;
  state: string;
  input?: unknown;
  /** The model's text if it was rejected as input. */
  rawInput?: unknown;
  output?: unknown;
  errorText?: string;
  approval?: { id: string; approved?: boolean; reason?: string };
  callProviderMetadata?: ProviderMetadata;
  resultProviderMetadata?: ProviderMetadata;
}

export function toolPartOf(part: Part): ToolPart | undefined {
  const toolName = toolNameOf(part);
  return toolName === undefined ? undefined : ({ ...part, toolName } as unknown as ToolPart);
}
