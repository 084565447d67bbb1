import { type EventEmitter, once } from 'node:events';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { AddressGuard } from './addressGuard.ts';
import type { ServerPlace } from './serverPlace.ts';

export class TooMuchSent extends Error {}
export class ProtocolBroken extends Error {}

export class GuardedSocket extends Socket {
  readonly #guard: AddressGuard;

  constructor(guard: AddressGuard) {
    super();
    this.#guard = guard;
  }

  // Callers pass port and host. Socket has other forms too.
  override connect(...given: unknown[]): this {
    const [port, host] = given as [number, string];
    try {
      // Clients give the name to TLS; the connection uses the checked address.
      return super.connect({ port, host, lookup: this.#guard.lookupFor(host, port) });
    } catch (error) {
      process.nextTick(() => this.destroy(error as Error));
      return this;
    }
  }
}

/** Resolves when it is connected. Aborting the signal destroys the socket, also later. */
export async function openGuardedSocket(
  guard: AddressGuard,
  { host, port }: ServerPlace,
  signal: AbortSignal,
): Promise<GuardedSocket> {
  signal.throwIfAborted();
  const socket = new GuardedSocket(guard);
  const onAbort = () => socket.destroy(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  socket.once('close', () => signal.removeEventListener('abort', onAbort));
  socket.connect(port, host);
  await once(socket, 'connect');
  // Errors after this belong to the client, which listens later.
  socket.on('error', () => undefined);
  return socket;
}

/** The server is untrusted: too many bytes, or data on which the reader throws, end only the connection. */
export function limitReceived(stream: Duplex, maxBytes: number): void {
  const emit: EventEmitter['emit'] = stream.emit.bind(stream);
  let bytes = 0;
  stream.emit = (event: string | symbol, ...values: unknown[]): boolean => {
    if (event !== 'data') return emit(event, ...values);
    bytes += (values[0] as Buffer).length;
    if (bytes > maxBytes) {
      stream.destroy(new TooMuchSent());
      return true;
    }
    try {
      return emit(event, ...values);
    } catch (cause) {
      stream.destroy(new ProtocolBroken('', { cause }));
      return true;
    }
  };
}
