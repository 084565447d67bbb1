import type { RemoteToolCall } from '../../../domain/agent/turnCalls.ts';
import type { CallToRun } from '../../../prisma/store/turn/toolCalls.ts';
import type { ActivityServices } from '../../services.ts';
import type { ToolResult } from './toolToRun.ts';

/** `isRetryable`: another try may succeed; the result of the last one counts. */
export type Work = (
  services: ActivityServices,
  call: RemoteToolCall,
  stored: CallToRun,
  signal: AbortSignal,
) => Promise<ToolResult & { isRetryable?: boolean }>;
