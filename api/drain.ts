import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const CHECK_MS = 50;
/** A new connection may be about to send a request. */
const SILENT_MS = 500;

/** Drains a server: stops listening, answers open requests, and closes every connection within `timeoutMs`. */
export function drainOf(server: Server): (timeoutMs: number) => Promise<void> {
  /** By arrival. Browsers and balancers open some ahead; Node treats one without a request as busy. */
  const open = new Map<Socket, number>();
  server.on('connection', (socket: Socket) => {
    open.set(socket, performance.now());
    socket.once('close', () => open.delete(socket));
  });

  function closeUnused(): void {
    // A kept-alive connection may become idle at any time.
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
