import type { RemoteToolCall } from '../../../domain/agent/turnCalls.ts';
import type { CallToRun } from '../../../prisma/store/turn/toolCalls.ts';
import type { ActivityServices } from '../../services.ts';
import type { ToolResult } from './toolToRun.ts';

/** The work of a call. `isRetryable`: another try may end otherwise, and better; the last one counts as it is. */
export type Work = (
  services: ActivityServices,
  call: RemoteToolCall,
  stored: CallToRun,
  signal: AbortSignal,
) => Promise<ToolResult & { isRetryable?: boolean }>;
