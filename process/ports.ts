import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import getPort, { portNumbers } from 'get-port';

const HOST = '127.0.0.1';

/** Below the ephemeral ports (on Linux from 32768): an outgoing connection could hold the port of a restarted part. */
const ANY = { from: 20_000, below: 32_768, tries: 50 };

export function anyPort(): Promise<number> {
  return getPort({ host: HOST, port: Array.from({ length: ANY.tries }, () => randomInt(ANY.from, ANY.below)) });
}

export class PortTaken extends Error {
  constructor(name: string, port: number) {
    super(
      `Port ${port} is taken. Set ${name} to a free port (0: any), e.g. ${name}=${port + 1}, or stop the process that uses it.`,
    );
    this.name = 'PortTaken';
  }
}

export async function isFree(port: number, host = HOST): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Returns the wanted port, the next free one if that is a taken default, any for 0; otherwise throws PortTaken. */
export async function choosePort(wanted: {
  name: string;
  port: number;
  isDefault: boolean;
  host?: string;
}): Promise<number> {
  if (wanted.port === 0) return anyPort();
  const { host = HOST } = wanted;
  if (await isFree(wanted.port, host)) return wanted.port;
  if (!wanted.isDefault) throw new PortTaken(wanted.name, wanted.port);
  return getPort({ host, port: portNumbers(wanted.port + 1, Math.min(wanted.port + 200, 65_535)) });
}
