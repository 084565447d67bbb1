import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { promisify } from 'node:util';
import type { ChannelHandles, WriteRequest } from './channel.ts';
import { replace } from './sealed.ts';

/** libuv's EACCES: net makes an error `connect EACCES …` of it. */
const EACCES = -13;
const MAX_NAMES = 65_536;

export type Opened = { ticket: string } | { code: string; message: string };

interface ConnectRequest {
  oncomplete(this: unknown, status: number, ...more: unknown[]): void;
}

interface Handle {
  [name: string]: unknown;
  writeLatin1String(request: WriteRequest | null, text: string): number;
}

/**
 * Takes away every way to a socket except one: a TCP handle that connects reaches the egress of the worker
 * (runner/egress.ts), which has opened the wanted connection by its own rules. This happens in the prototypes of the
 * native handles, so the modules and packages above them need no change, and none of them is a way around it.
 */
export function sealHandles(
  { pipe, newWrite }: ChannelHandles,
  egressPort: number,
  open: (host: string, port: number) => Promise<Opened>,
): void {
  const names = sealDns();
  const tcp = (net as unknown as { _createServerHandle(...of: unknown[]): { close(): void } })._createServerHandle(
    '127.0.0.1',
    0,
    4,
  );
  const proto = Object.getPrototypeOf(tcp) as Record<string, unknown>;
  const nativeConnect = Function.prototype.call.bind(proto.connect as () => void) as (...of: unknown[]) => number;
  tcp.close();

  const connect = function connect(this: Handle, request: ConnectRequest, address: unknown, port: unknown): number {
    if (typeof address !== 'string' || typeof port !== 'number') return EACCES;
    const { oncomplete } = request;
    const fail = (code: string, message: string) => {
      const owner = ownerOf(this);
      const error = Object.assign(new Error(message), { code, syscall: 'connect' });
      if (owner) owner.destroy(error);
      else oncomplete.call(request, EACCES, this, request, false, false);
    };
    const begin = (opened: Opened) => {
      if ('code' in opened) return fail(opened.code, opened.message);
      request.oncomplete = (status, ...more) => {
        if (status === 0) {
          const write = newWrite();
          if (write) write.oncomplete = () => undefined;
          this.writeLatin1String(write, opened.ticket);
        }
        oncomplete.call(request, status, ...more);
      };
      const status = nativeConnect(this, request, '127.0.0.1', egressPort);
      if (status !== 0) fail('ECONNABORTED', 'The socket was closed');
    };
    open(names.get(address) ?? address, port)
      .then(begin)
      .catch((error: Error) => fail('ECONNABORTED', error.message));
    return 0;
  };
  replace(proto, 'connect', connect);
  replace(proto, 'connect6', connect);
  refuse(proto, ['bind', 'bind6', 'listen', 'open']);

  refuse(pipe, ['bind', 'connect', 'fchmod', 'listen', 'open']);
  const udp = dgram.createSocket('udp4') as unknown as Record<symbol, { handle: object }>;
  const state = Object.getOwnPropertySymbols(udp).find(({ description }) => description === 'state symbol');
  if (state === undefined) throw new Error('dgram has no state');
  const udpProto = Object.getPrototypeOf((udp[state] as { handle: object }).handle) as object;
  refuse(udpProto, ['bind', 'bind6', 'connect', 'connect6', 'open', 'send', 'send6']);
  const resolver = new dns.Resolver() as unknown as { _handle: object };
  const cares = Object.getPrototypeOf(resolver._handle) as object;
  refuse(
    cares,
    Object.getOwnPropertyNames(cares).filter((name) => /^(query|getHostBy|set)/.test(name)),
  );
}

function refuse(proto: object, names: readonly string[]): void {
  for (const name of names) if (name in proto) replace(proto, name, () => EACCES);
}

function ownerOf(handle: object): net.Socket | undefined {
  const symbol = Object.getOwnPropertySymbols(handle).find(({ description }) => description === 'owner_symbol');
  const owner = symbol && (handle as Record<symbol, unknown>)[symbol];
  return owner instanceof net.Socket ? owner : undefined;
}

/**
 * The worker resolves names when it connects. Until then each name is represented by an address that no host has.
 * Returns the name of each such address.
 */
function sealDns(): { get(address: string): string | undefined } {
  const names = new Map<string, string>();
  const addresses = new Map<string, string>();
  let count = 0;
  const addressOf = (name: string, family: number): string => {
    const key = `${family} ${name}`;
    const present = addresses.get(key);
    if (present !== undefined) return present;
    if (addresses.size >= MAX_NAMES) {
      addresses.clear();
      names.clear();
    }
    count = (count + 1) % 0xfffff;
    const address =
      family === 6
        ? `100::${count.toString(16).replace(/(.{1,4})(.{4})$/, '$1:$2')}`
        : `240.${count >> 16}.${(count >> 8) & 255}.${count & 255}`;
    addresses.set(key, address);
    names.set(address, name);
    return address;
  };
  const found = (hostname: string, options: dns.LookupOptions | number | undefined): dns.LookupAddress => {
    const asked = typeof options === 'object' ? options.family : options;
    const isFamily = net.isIP(hostname);
    const family = isFamily !== 0 ? isFamily : asked === 6 || asked === 'IPv6' ? 6 : 4;
    return { address: isFamily !== 0 ? hostname : addressOf(hostname, family), family };
  };
  const lookup = (hostname: unknown, ...more: unknown[]) => {
    const callback = more.at(-1) as (error: null, ...found: unknown[]) => void;
    const options = more.length > 1 ? (more[0] as dns.LookupOptions | undefined) : undefined;
    const one = found(String(hostname ?? 'localhost'), options);
    if (options?.all) process.nextTick(callback, null, [one]);
    else process.nextTick(callback, null, one.address, one.family);
    return {};
  };
  const lookupPromise = async (hostname: unknown, options?: dns.LookupOptions) => {
    const one = found(String(hostname ?? 'localhost'), options);
    return options?.all ? [one] : one;
  };
  Object.defineProperty(lookup, promisify.custom, { value: lookupPromise });
  replace(dns, 'lookup', lookup);
  replace(dns.promises, 'lookup', lookupPromise);
  syncBuiltinESMExports();
  return names;
}
