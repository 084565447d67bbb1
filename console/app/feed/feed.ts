import type { InfiniteData } from '@tanstack/react-query';
import type { WorkspaceEvent } from 'perdure-client';
import { isTerminal } from '../../../domain/execution/status.ts';
import { sendUnshown } from '../../features/agents/chat/unshownTasks.ts';
import { ENTITY_READS } from '../../features/entities/entityReads.ts';
import {
  type ExecutionRow,
  type ExecutionWhole,
  refreshExecution,
} from '../../features/executions/queries/executions.ts';
import { setLive } from '../../ui/load/liveness.ts';
import { ME } from '../api/me.ts';
import { isLongList, type RowPage } from '../api/pages.ts';
import { QUERIES } from '../api/queries.ts';
import { client } from '../session/session.ts';

/** The operations that are read again after an event of this type. */
const READ_ANEW: Record<string, string[]> = {
  'execution.changed': ['listExecutions', 'countExecutions'],
  'question.opened': ['listPendingInputs'],
  'question.closed': ['listPendingInputs'],
  'queue.changed': ['listQueues', 'listQueueItems', 'getQueue', 'getQueueStats', 'getQueueItem'],
  'object.changed': ENTITY_READS,
  'task.changed': ['listTasks', 'getTask'],
};

const AT_MOST_EVERY_MS = 1_000;

/** Refetches lists, at most once a second. `name`: workspace and person. `hearFirst` gets events in one tab only. */
export async function followFeed(
  name: string,
  signal: AbortSignal,
  hearFirst: (event: WorkspaceEvent) => void,
): Promise<void> {
  const waiting = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const readAnew = () => {
    timer = undefined;
    for (const operation of waiting) {
      void QUERIES.invalidateQueries({ queryKey: [operation], predicate: ({ state }) => !isLongList(state.data) });
    }
    waiting.clear();
  };
  const note = (operations: string[]) => {
    if (operations.length === 0) return;
    for (const operation of operations) waiting.add(operation);
    timer ??= setTimeout(readAnew, AT_MOST_EVERY_MS);
  };
  // After a reconnect: events were missed. Permissions first, so that nothing is requested that the person may not see.
  const readAll = () =>
    void QUERIES.invalidateQueries({ queryKey: ME.queryKey }).finally(() =>
      QUERIES.invalidateQueries({
        predicate: ({ state, queryKey }) => queryKey[0] !== ME.queryKey[0] && !isLongList(state.data),
      }),
    );
  let connections = 0;
  const onConnection = (stands: boolean) => {
    setLive(stands);
    if (!stands) return;
    sendUnshown();
    if (connections > 0) readAll();
    connections += 1;
  };
  try {
    await followTogether(name, signal, (said, isFirst) => {
      if ('stands' in said) return onConnection(said.stands);
      const { event } = said;
      if (isFirst) hearFirst(event);
      if (event.type === 'execution.changed') {
        showStatus(event);
        readEndedAnew(event);
      }
      if (event.type === 'resync') readAll();
      if (event.type === 'task.changed') {
        sendUnshown((agentId, taskId) => agentId === event.agentId && taskId === event.taskId);
      }
      note(READ_ANEW[event.type] ?? []);
      if (event.type === 'question.closed' || event.type === 'question.opened') {
        void QUERIES.invalidateQueries({ queryKey: ['getExecution', event.executionId, 'question'] });
      }
    });
  } catch (error) {
    // Users without permission for the stream see pages as they were loaded.
    if (!signal.aborted) setLive(false, error);
  } finally {
    clearTimeout(timer);
  }
}

/** A long list is not refetched; its rows get the status of the event. */
function showStatus({ id, status }: Extract<WorkspaceEvent, { type: 'execution.changed' }>): void {
  const change = (row: ExecutionRow) => (row.id === id ? { ...row, status } : row);
  QUERIES.setQueriesData<InfiniteData<RowPage<ExecutionRow>>>(
    { queryKey: ['listExecutions'], predicate: ({ state }) => isLongList(state.data) },
    (known) =>
      known && {
        ...known,
        pages: known.pages.map((page) =>
          page.rows.some((row) => row.id === id) ? { ...page, rows: page.rows.map(change) } : page,
        ),
      },
  );
}

/** An ended execution changes if somebody acknowledges it. Its page follows no stream any longer. */
function readEndedAnew({ id, status }: Extract<WorkspaceEvent, { type: 'execution.changed' }>): void {
  const known = QUERIES.getQueryData<ExecutionWhole>(['getExecution', id]);
  if (isTerminal(status) && known?.status === status) refreshExecution(QUERIES, id);
}

/** A message of the tab that has the stream. A new tab sends `asks` to get the connection state. */
type Said = { event: WorkspaceEvent } | { stands: boolean };
type Message = Said | { asks: true };

/**
 * Follows the workspace's events until the signal is aborted; rejects with the API's refusal. Only one tab (`isFirst`)
 * has the stream and passes events on, since a browser opens at most six connections per host. When it closes, another
 * takes over.
 */
async function followTogether(
  name: string,
  signal: AbortSignal,
  hear: (said: Said, isFirst: boolean) => void,
): Promise<void> {
  // Pages served over plain http have no locks: each tab opens its own stream.
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) return follow(signal, (said) => hear(said, true));
  const channel = new BroadcastChannel(`perdure feed ${name}`);
  let state: Said | undefined;
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (!('asks' in data)) hear(data, false);
    else if (state !== undefined) channel.postMessage(state);
  };
  channel.postMessage({ asks: true });
  try {
    await locks.request(`perdure feed ${name}`, { signal }, () =>
      follow(signal, (said) => {
        if ('stands' in said) state = said;
        hear(said, true);
        channel.postMessage(said);
      }),
    );
  } finally {
    channel.close();
  }
}

async function follow(signal: AbortSignal, say: (said: Said) => void): Promise<void> {
  const onConnection = (stands: boolean) => say({ stands });
  const events = client.followWorkspace({ signal, reconnectMs: Number.POSITIVE_INFINITY, onConnection });
  for await (const event of events) say({ event });
}
