import type {
  ExecutionEnd,
  InputRequest,
  IterationRecord,
  StepRecord,
  WebhookResponse,
} from '../../../domain/execution/stepRecord.ts';
import { Prisma } from '../../generated/client.ts';

export interface ProgressWrite {
  steps: StepRecord[];
  inputRequests?: InputRequest[];
  /** Nodes whose submitted input this write applies, or whose question expired. */
  inputsApplied?: string[];
  /** The scope of `inputsApplied` (iteration.ts); absent at the top. */
  iteration?: string;
  iterations?: IterationRecord[];
  /** Prefixes of scope keys with a trailing slash: open steps and questions below them are closed. */
  cancelled?: string[];
  response?: WebhookResponse;
  /** Only if nothing else of the execution is open. */
  end?: ExecutionEnd;
}

export function progressCall(workspaceId: string, executionId: string, write: ProgressWrite): Prisma.Sql {
  const { steps, inputRequests, inputsApplied, iteration = '', iterations, cancelled, response, end } = write;
  return Prisma.sql`record_progress(${workspaceId}::uuid, ${executionId}::uuid, ${JSON.stringify(steps)}::jsonb,
    ${inputRequests?.length ? JSON.stringify(inputRequests) : null}::jsonb,
    ${iteration}, ${inputsApplied?.length ? inputsApplied : null}::text[],
    ${iterations?.length ? JSON.stringify(iterations) : null}::jsonb, ${cancelled ?? null}::text[],
    ${response ? JSON.stringify(response) : null}::jsonb, ${end ? JSON.stringify(end) : null}::jsonb)`;
}
