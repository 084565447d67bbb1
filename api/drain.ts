import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const CHECK_MS = 50;
/** A caller that connected just now may be about to ask. */
const SILENT_MS = 500;

/** A server that can be drained: listens no more, answers what it was asked, and closes every connection, the last after `timeoutMs`. */
export function drainOf(server: Server): (timeoutMs: number) => Promise<void> {
  /** By the time they came. Browsers and balancers open some ahead; to Node one that has asked nothing yet is busy. */
  const open = new Map<Socket, number>();
  server.on('connection', (socket: Socket) => {
    open.set(socket, performance.now());
    socket.once('close', () => open.delete(socket));
  });

  function closeUnused(): void {
    // One kept alive between two requests may become idle at any time.
    server.closeIdleConnections();
    for (const [socket, since] of open) {
      if (socket.bytesRead === 0 && performance.now() - since > SILENT_MS) socket.destroy();
    }
  }

  return async (timeoutMs) => {
    const closed = once(server, 'close');
    server.close();
    const unused = setInterval(closeUnused, CHECK_MS);
    const force = setTimeout(() => server.closeAllConnections(), timeoutMs);
    await closed;
    clearInterval(unused);
    clearTimeout(force);
  };
}
