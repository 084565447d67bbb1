import type { RunStatus } from '../../../domain/agent/runStatus.ts';
import type { Database } from '../../client.ts';
import type { RecordedStep } from './claimAttempt.ts';

export interface StoredRun {
  status: RunStatus;
  messageId: string;
  steps: RecordedStep[];
}

export async function readRun(database: Database, workspaceId: string, runId: string): Promise<StoredRun | undefined> {
  const row = await database.taskRun.findFirst({
    where: { id: runId, workspaceId },
    select: { status: true, messageId: true, steps: true },
  });
  return (row as unknown as StoredRun | null) ?? undefined;
}
