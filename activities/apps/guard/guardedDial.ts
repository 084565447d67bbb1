import { connect, type Socket } from 'node:net';
import { buildAddressGuard, type GuardSettings, RefusedAddress } from './addressGuard.ts';

const CONNECT_MS = 10_000;

/** Opens TCP connections for code that has no sockets of its own (runner/). The code of a refusal is that of `http`. */
export function buildGuardedDial(settings: GuardSettings): (host: string, port: number) => Promise<Socket> {
  const guard = buildAddressGuard(settings);
  return (host, port) =>
    new Promise((resolve, reject) => {
      const fail = (error: Error) => {
        const code = error instanceof RefusedAddress ? { code: 'HTTP_REFUSED_ADDRESS' } : {};
        reject(Object.assign(error, code));
      };
      try {
        const lookup = guard.lookupFor(host, port);
        const socket = connect({ host, port, lookup, noDelay: true, allowHalfOpen: true, timeout: CONNECT_MS });
        socket.once('error', fail);
        socket.once('timeout', () => socket.destroy(timedOut(host, port)));
        socket.once('connect', () => {
          socket.setTimeout(0);
          socket.off('error', fail);
          socket.on('error', () => socket.destroy());
          resolve(socket);
        });
      } catch (error) {
        fail(error as Error);
      }
    });
}

function timedOut(host: string, port: number): Error {
  const message = `No connection to ${host}:${port} within ${CONNECT_MS / 1_000} seconds`;
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}
