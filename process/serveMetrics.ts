import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, BlockList } from 'node:net';
import type { Logger } from 'pino';
import { collectDefaultMetrics } from 'prom-client';
import type { Config } from '../config.ts';
import type { Metrics } from '../engine/metrics/metrics.ts';
import { hiddenLoopback, isLoopbackName, MISDIRECTED } from './loopbackName.ts';
import { anyPort } from './ports.ts';

export interface ServedMetrics {
  url: string;
  /** Address of the SDK's own metrics, host:port on loopback, for installTemporalRuntime. */
  sdkAddress: string;
  stop(): Promise<void>;
}

const SDK_TIMEOUT_MS = 5_000;
const MORE_PORTS = 200;
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');
const TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Settings = Pick<Config, 'METRICS_PORT' | 'METRICS_HOST'>;

/** On loopback only if the Host names this machine. Undefined if METRICS_PORT is 0. Throws if a set port is taken. */
export async function serveMetrics(
  { METRICS_PORT, METRICS_HOST }: Settings,
  { isDefault, metrics, log }: { isDefault: boolean; metrics: Metrics; log: Logger },
): Promise<ServedMetrics | undefined> {
  if (METRICS_PORT === 0) return undefined;
  // The SDK's server accepts any Host.
  const sdkAddress = `${hiddenLoopback()}:${await anyPort()}`;
  collectDefaultMetrics({ register: metrics.registry });
  const host = METRICS_HOST.includes(':') ? `[${METRICS_HOST}]` : METRICS_HOST;
  let isLoopback = true;
  const server = createServer((request, response) => {
    if (isLoopback && !isLoopbackName(request.headers.host) && !names(request.headers.host, host)) {
      response.writeHead(MISDIRECTED.status, { 'content-type': 'text/plain' }).end(MISDIRECTED.text);
      return;
    }
    // No URL parser: it throws for some addresses, and an exception here ends the process.
    const [pathname] = (request.url ?? '/').split('?');
    const isKnown = pathname === '/metrics' || pathname === '/healthz';
    if (!isKnown || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(isKnown ? 405 : 404, { 'content-type': 'text/plain' }).end('GET /metrics or /healthz\n');
      return;
    }
    // A worker has no other port, and an orchestrator needs a stable one.
    if (pathname === '/healthz') {
      response.writeHead(200, { 'content-type': 'text/plain' }).end('ok\n');
      return;
    }
    allText(metrics, sdkAddress, log).then(
      (text) => response.writeHead(200, { 'content-type': TYPE }).end(text),
      (error: unknown) => {
        log.error({ err: error }, 'the metrics could not be read');
        response.writeHead(500, { 'content-type': 'text/plain' }).end('The metrics could not be read\n');
      },
    );
  });
  await listen(server, METRICS_PORT, METRICS_HOST, isDefault ? MORE_PORTS : 0);
  server.unref();
  const { address, family, port } = server.address() as AddressInfo;
  isLoopback = LOOPBACK.check(address, family === 'IPv6' ? 'ipv6' : 'ipv4');
  const url = `http://${host}:${port}/metrics`;
  return {
    url,
    sdkAddress,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** An address that the operator set, such as 127.0.0.5, also names this machine. */
function names(header: string | undefined, host: string): boolean {
  return header?.replace(/:\d+$/, '').toLowerCase() === host.toLowerCase();
}

async function allText(metrics: Metrics, sdkAddress: string, log: Logger): Promise<string> {
  const [ours, ofSdk] = await Promise.all([metrics.text(), sdkText(sdkAddress, log)]);
  return `${ours.trimEnd()}\n${ofSdk}`;
}

/** If the SDK's metrics cannot be read, ours are still served. */
async function sdkText(address: string, log: Logger): Promise<string> {
  try {
    const answer = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(SDK_TIMEOUT_MS) });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return await answer.text();
  } catch (error) {
    log.warn({ err: error }, "the metrics of Temporal's SDK could not be read");
    return '';
  }
}

/** Retries the next port. Only listening proves a port free: another process could take it in between. */
async function listen(server: Server, port: number, host: string, more: number): Promise<void> {
  try {
    const listening = once(server, 'listening');
    server.listen({ port, host, exclusive: true });
    await listening;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    if (more === 0 || port === 65_535) {
      throw new Error(`Port ${port} is taken. Set METRICS_PORT to a free port, or to 0 for no metrics.`, {
        cause: error,
      });
    }
    await listen(server, port + 1, host, more - 1);
  }
}
