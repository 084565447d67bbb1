import type { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { AddressGuard } from '../guard/addressGuard.ts';

export class TooMuchSent extends Error {}
export class ProtocolBroken extends Error {}

export class GuardedSocket extends Socket {
  readonly #guard: AddressGuard;

  constructor(guard: AddressGuard) {
    super();
    this.#guard = guard;
  }

  // `pg` passes port and host. Socket has other forms too.
  override connect(...given: unknown[]): this {
    const [port, host] = given as [number, string];
    try {
      // `pg` gives the name to TLS; the connection uses the checked address.
      return super.connect({ port, host, lookup: this.#guard.lookupFor(host, port) });
    } catch (error) {
      process.nextTick(() => this.destroy(error as Error));
      return this;
    }
  }
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
