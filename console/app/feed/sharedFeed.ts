import type { WorkspaceEvent } from 'perdure-client';
import { client } from '../session/session.ts';

/** A message of the tab that has the stream. A new tab sends `asks` to get the connection state. */
export type Said = { event: WorkspaceEvent } | { stands: boolean };
type Message = Said | { asks: true };

/**
 * Follows the workspace's events until the signal is aborted; rejects with the API's refusal. Only one tab (`isFirst`)
 * has the stream and passes events on, since a browser opens at most six connections per host. When it closes, another
 * takes over.
 */
export async function followTogether(
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
