import { Socket } from 'node:net';
import { FrameReader, frameOf } from './frames.ts';
import type { FromFence, ToFence } from './messages.ts';

/** The file descriptor that the worker opened for the channel. */
const CHANNEL_FD = 3;

export interface WriteRequest {
  oncomplete?: () => void;
}

export interface ChannelHandles {
  /** The prototype of handles of pipes. */
  pipe: object;
  /** Null in versions of Node that write without a request what the socket takes at once. */
  newWrite: () => WriteRequest | null;
}

interface PipeHandle {
  writeBuffer(request: WriteRequest | null, data: Buffer): number;
}

export class Channel {
  readonly #socket: Socket;
  readonly handles: Promise<ChannelHandles>;

  constructor(maxBytes: number) {
    this.#socket = new Socket({ fd: CHANNEL_FD, readable: true, writable: true });
    this.#reader = new FrameReader(maxBytes);
    const handle = (this.#socket as unknown as { _handle: PipeHandle })._handle;
    // Node has no public name for the class of write requests: it is that of the first write.
    this.handles = new Promise((resolve) => {
      const { writeBuffer } = handle;
      handle.writeBuffer = (request, data) => {
        handle.writeBuffer = writeBuffer;
        resolve({
          pipe: Object.getPrototypeOf(handle) as object,
          newWrite: () => (request === null ? null : new (request.constructor as new () => WriteRequest)()),
        });
        return writeBuffer.call(handle, request, data);
      };
    });
  }

  readonly #reader: FrameReader;

  listen(received: (message: ToFence) => void, ended: () => void): void {
    this.#socket.on('data', (chunk) => {
      for (const message of this.#reader.push(chunk)) received(message as ToFence);
    });
    this.#socket.on('close', ended);
    this.#socket.on('error', ended);
  }

  send(message: FromFence): void {
    this.#socket.write(frameOf(message));
  }
}
