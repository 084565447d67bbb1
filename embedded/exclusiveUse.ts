import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Linux: a name that the kernel releases with the process. Elsewhere: a socket file, which may be left over. */
function socketOf(path: string): string {
  const name = `perdure-${createHash('sha256').update(resolve(path)).digest('hex').slice(0, 24)}`;
  return platform() === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`);
}

function listen(socket: string): Promise<Server | undefined> {
  return new Promise((done, fail) => {
    const server = createServer((guest) => guest.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? done(undefined) : fail(error),
    );
    server.listen(socket, () => done(server.unref()));
  });
}

function isHeld(socket: string): Promise<boolean> {
  return new Promise((done) => {
    const guest = connect(socket, () => {
      guest.destroy();
      done(true);
    });
    guest.once('error', () => done(false));
  });
}

/** Locks a path until the returned function is called or the process ends. Undefined if another process has it. */
export async function takeExclusiveUse(path: string): Promise<(() => void) | undefined> {
  const socket = socketOf(path);
  let server = await listen(socket);
  if (server === undefined && !socket.startsWith('\0') && !(await isHeld(socket))) {
    rmSync(socket, { force: true });
    server = await listen(socket);
  }
  return server && (() => void server.close());
}
