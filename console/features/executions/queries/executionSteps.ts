import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from '../../../app/session/session.ts';
import { useVisible } from '../../../ui/useVisible.ts';
import { type ExecutionWhole, execution } from './executions.ts';
import { hasEnded } from './hasEnded.ts';

/**
 * Follows the stream while the execution is open and the tab is visible; hidden tabs hold no connection. Reads the
 * execution once more after its end, because the stream does not carry every field.
 */
export function useExecution(executionId: string) {
  const queries = useQueryClient();
  const options = execution(executionId);
  const query = useQuery(options);
  const isVisible = useVisible();
  const isOpen = isVisible && query.data !== undefined && !hasEnded(query.data.status);
  useEffect(() => {
    if (!isOpen) return;
    const stopped = new AbortController();
    const change = (update: (known: ExecutionWhole) => ExecutionWhole) =>
      queries.setQueryData<ExecutionWhole>(['getExecution', executionId], (known) => known && update(known));
    const follow = async () => {
      const events = client.followExecution(executionId, {
        signal: stopped.signal,
        reconnectMs: Number.POSITIVE_INFINITY,
      });
      for await (const event of events) {
        if (event.type === 'execution.progress') {
          const { status, statusMessage, executionPath, pendingInput, stepsLeftOut } = event;
          change((known) => ({ ...known, status, statusMessage, executionPath, pendingInput, stepsLeftOut }));
        }
        if (event.type === 'loop.progress') change((known) => withLoop(known, event));
        if (event.type === 'execution.finished') {
          await queries.invalidateQueries({ queryKey: ['getExecution', executionId] });
        }
      }
    };
    follow().catch((error: unknown) => {
      // Keeps the data; the stream is opened again when the tab becomes visible.
      if (!stopped.signal.aborted) void queries.invalidateQueries({ queryKey: ['getExecution', executionId] });
      else if (!(error instanceof DOMException)) throw error;
    });
    return () => stopped.abort();
  }, [executionId, isOpen, queries]);
  return query;
}

interface LoopCounts {
  nodeId: string;
  iteration?: { nodeId: string; index: number }[];
  completed: number;
  failed: number;
  total?: number;
}

function withLoop(
  known: ExecutionWhole,
  { nodeId, iteration = [], completed, failed, total }: LoopCounts,
): ExecutionWhole {
  const place = JSON.stringify(iteration.map((each) => [each.nodeId, each.index]));
  const executionPath = known.executionPath?.map((step) => {
    const own = JSON.stringify(step.iteration.map((each) => [each.nodeId, each.index]));
    if (step.nodeId !== nodeId || own !== place) return step;
    const iterations = { ...step.iterations, completed, failed, ...(total === undefined ? {} : { total }) };
    return { ...step, iterations };
  });
  return { ...known, executionPath };
}
