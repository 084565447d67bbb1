import type {
  ExecutionEnd,
  InputRequest,
  IterationRecord,
  StepRecord,
  WebhookResponse,
} from '../../../domain/execution/stepRecord.ts';
import { Prisma } from '../../generated/client.ts';

/** One write of an execution's progress. */
export interface ProgressWrite {
  steps: StepRecord[];
  inputRequests?: InputRequest[];
  /** Nodes whose submitted input is applied by this write, or whose question expired. */
  inputsApplied?: string[];
  /** Their scope (iteration.ts); absent at the top. */
  iteration?: string;
  /** Iterations that end with this write. */
  iterations?: IterationRecord[];
  /** Starts of scope keys with a slash behind: open steps and questions below them are closed. */
  cancelled?: string[];
  response?: WebhookResponse;
  /** Only if nothing else of the execution is open. */
  end?: ExecutionEnd;
}

/** The call of the function record_progress (migrations): a row `{revision, status, responded}`, or none. */
export function progressCall(workspaceId: string, executionId: string, write: ProgressWrite): Prisma.Sql {
  const { steps, inputRequests, inputsApplied, iteration = '', iterations, cancelled, response, end } = write;
  return Prisma.sql`record_progress(${workspaceId}::uuid, ${executionId}::uuid, ${JSON.stringify(steps)}::jsonb,
    ${inputRequests?.length ? JSON.stringify(inputRequests) : null}::jsonb,
    ${iteration}, ${inputsApplied?.length ? inputsApplied : null}::text[],
    ${iterations?.length ? JSON.stringify(iterations) : null}::jsonb, ${cancelled ?? null}::text[],
    ${response ? JSON.stringify(response) : null}::jsonb, ${end ? JSON.stringify(end) : null}::jsonb)`;
}
