import type { Closing, InputRequest, StepRecord, WebhookResponse } from '../../../domain/execution/stepRecord.ts';
import { Prisma } from '../../generated/client.ts';

/** What one write says of an execution. */
export interface ProgressWrite {
  steps: StepRecord[];
  inputRequests?: InputRequest[];
  /** Nodes whose submitted input is applied by this write, or whose question expired. */
  inputsApplied?: string[];
  response?: WebhookResponse;
  /** Only where nothing else of the execution is open. */
  close?: Closing;
}

/** The call of the function record_progress (migrations): a row `{revision, status, responded}`, or none. */
export function progressCall(workspaceId: string, executionId: string, write: ProgressWrite): Prisma.Sql {
  const { steps, inputRequests, inputsApplied, response, close } = write;
  return Prisma.sql`record_progress(${workspaceId}::uuid, ${executionId}::uuid, ${JSON.stringify(steps)}::jsonb,
    ${inputRequests?.length ? JSON.stringify(inputRequests) : null}::jsonb,
    ${inputsApplied?.length ? inputsApplied : null}::text[],
    ${response ? JSON.stringify(response) : null}::jsonb, ${close ? JSON.stringify(close) : null}::jsonb)`;
}
