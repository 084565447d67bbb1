import type { WorkspaceEvent } from 'perdure-client';
import { client } from '../session/session.ts';

/** What the tab with the stream says to the others of this browser; `asks` is what a new one says. */
export type Said = { event: WorkspaceEvent } | { stands: boolean };
type Message = Said | { asks: true };

/**
 * What happens in the workspace, until the signal is aborted. One tab of the browser has the stream and passes on what it
 * hears, since a browser opens six connections to a host at most; when that tab goes, another takes its place. Rejects with
 * the refusal of the API. `name`: of the workspace and the person; `isFirst`: this tab has the stream, so that of all tabs it
 * alone hears the event so.
 */
export async function followTogether(
  name: string,
  signal: AbortSignal,
  hear: (said: Said, isFirst: boolean) => void,
): Promise<void> {
  // Pages that came by plain http get no locks: each tab has a stream of its own.
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
