import { randomBytes } from 'node:crypto';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

const TICKET_BYTES = 32;
/** A ticket is used as soon as it arrives, unless the fenced process is busy. */
const TICKET_MS = 10_000;

/**
 * The one place that a fenced process can connect to, on loopback. The worker opens a connection by its own rules first;
 * a single-use ticket then joins it with the connection of the fenced process.
 */
export class Egress {
  readonly #offers = new Map<string, Socket>();
  #server: Server | undefined;
  #port: Promise<number> | undefined;

  port(): Promise<number> {
    this.#port ??= new Promise((resolve, reject) => {
      const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#accept(socket));
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
      // The worker may end while it listens.
      server.unref();
      this.#server = server;
    });
    return this.#port;
  }

  /** Returns the ticket for an open connection. */
  offer(target: Socket): string {
    const ticket = randomBytes(TICKET_BYTES / 2).toString('hex');
    this.#offers.set(ticket, target);
    const expire = () => this.#offers.delete(ticket) && target.destroy();
    setTimeout(expire, TICKET_MS).unref();
    return ticket;
  }

  close(): void {
    this.#server?.close();
    for (const target of this.#offers.values()) target.destroy();
    this.#offers.clear();
  }

  #accept(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    socket.setTimeout(TICKET_MS, () => socket.destroy());
    const read = () => {
      const ticket = socket.read(TICKET_BYTES) as Buffer | null;
      if (ticket === null) return;
      socket.off('readable', read);
      const text = ticket.toString('latin1');
      const target = this.#offers.get(text);
      this.#offers.delete(text);
      socket.setTimeout(0);
      if (target === undefined || target.destroyed) return void socket.destroy();
      join(socket, target);
    };
    socket.on('readable', read);
  }
}

function join(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.resetAndDestroy());
    from.on('close', () => to.destroySoon());
  }
}
