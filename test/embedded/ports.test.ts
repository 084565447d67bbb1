import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { choosePort, PortTaken } from '../../process/ports.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function takePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const port = await takePort();
  const server = servers.pop() as Server;
  server.close();
  await once(server, 'close');
  return port;
}

test('a free port is taken as it is', async () => {
  const port = await freePort();
  expect(await choosePort({ name: 'TEMPORAL_PORT', port, isDefault: true })).toBe(port);
  expect(await choosePort({ name: 'TEMPORAL_PORT', port, isDefault: false })).toBe(port);
});

test('a default that is taken gives way to the next free one', async () => {
  const port = await takePort();
  const chosen = await choosePort({ name: 'TEMPORAL_PORT', port, isDefault: true });
  expect(chosen).toBeGreaterThan(port);
  expect(chosen).toBeLessThanOrEqual(port + 200);
});

test('a chosen port that is taken is an error that names the way out', async () => {
  const port = await takePort();
  const choice = choosePort({ name: 'TEMPORAL_PORT', port, isDefault: false });
  await expect(choice).rejects.toThrow(PortTaken);
  await expect(choice).rejects.toThrow(new RegExp(`Port ${port} is taken\\. Set TEMPORAL_PORT to a free port`));
});

test('0 is any free port that no outgoing connection is given', async () => {
  for (let time = 0; time < 20; time++) {
    const port = await choosePort({ name: 'TEMPORAL_PORT', port: 0, isDefault: false });
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(32_768);
  }
});
