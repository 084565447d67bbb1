import { CallConsole, type RunningCall, runningCall } from './callConsole.ts';
import { Channel } from './channel.ts';
import { Guest } from './guest.ts';
import type { GuestMember, ToFence } from './messages.ts';
import { type Opened, sealHandles } from './sealedHandles.ts';
import { type Require, sealModules } from './sealedModules.ts';
import { sealProcess } from './sealedProcess.ts';
import { thrownError } from './thrownError.ts';

// The process in which functions and pieces run (runner/runnerProcess.ts starts it). Everything is sealed before the
// first line of their code is loaded. The worker enforces what this process must not be trusted with: the guard of
// addresses, time, memory and the size of each message.

const [egressPort = 0, maxMessageBytes = 0] = process.argv.slice(2).map(Number);
const channel = new Channel(maxMessageBytes);
const console = new CallConsole((id, level, text) => channel.send({ kind: 'line', id, level, text }));
const running = new Map<number, RunningCall>();
const opening = new Map<number, (opened: Opened) => void>();
let guest: Guest | undefined;
let require: Require;
let end: (code: number) => never = process.exit;
let opened = 0;
let maxOutputBytes = 0;

function open(host: string, port: number): Promise<Opened> {
  opened += 1;
  const id = opened;
  return new Promise((resolve) => {
    opening.set(id, resolve);
    channel.send({ kind: 'open', id, host, port });
  });
}

function load({ code, file, ...limits }: Extract<ToFence, { kind: 'load' }>): void {
  console.maxBytes = limits.maxConsoleBytes;
  maxOutputBytes = limits.maxOutputBytes;
  const loaded = new Guest(code, file);
  try {
    loaded.load(require);
    guest = loaded;
    channel.send({ kind: 'loaded' });
  } catch (error) {
    channel.send({ kind: 'notLoaded', message: thrownError(error, loaded.placeOf).message });
  }
}

function settle(id: number, end: { output: string } | { error: unknown }): void {
  if (!running.delete(id)) return;
  console.forget(id);
  if ('output' in end) channel.send({ kind: 'returned', id, output: end.output });
  else channel.send({ kind: 'threw', id, error: thrownError(end.error, (stack) => guest?.placeOf(stack)) });
}

function call(id: number, member: GuestMember, parameters: unknown[]): void {
  const call: RunningCall = { id, abort: new AbortController() };
  running.set(id, call);
  const work = async () => {
    if (!guest) throw new Error('Nothing is loaded');
    const result = await guest.call(member, [...parameters, call.abort.signal]);
    const output = JSON.stringify(result ?? null);
    if (output === undefined) throw new TypeError(`The returned ${typeof result} is not JSON`);
    // The worker would end the process for a message that is too large.
    if (Buffer.byteLength(output) > maxOutputBytes) throw tooLarge();
    return output;
  };
  runningCall.run(call, () => {
    work().then(
      (output) => settle(id, { output }),
      (error: unknown) => settle(id, { error }),
    );
  });
}

function tooLarge(): Error {
  const message = `The output has more than ${maxOutputBytes} bytes, which is the limit (MAX_OUTPUT_BYTES)`;
  return Object.assign(new Error(message), { code: 'OUTPUT_TOO_LARGE' });
}

function receive(message: ToFence): void {
  if (message.kind === 'load') load(message);
  else if (message.kind === 'call') call(message.id, message.member, message.parameters);
  else if (message.kind === 'cancel') running.get(message.id)?.abort.abort();
  else {
    opening.get(message.id)?.(message.kind === 'opened' ? { ticket: message.ticket } : message);
    opening.delete(message.id);
  }
}

/** An error that no `await` of the call sees ends the call, if it is known; the process continues. */
function uncaught(error: unknown): void {
  const call = runningCall.getStore();
  if (call) settle(call.id, { error });
}

process.on('uncaughtException', uncaught);
process.on('unhandledRejection', uncaught);
channel.listen(receive, () => end(0));
channel.send({ kind: 'started' });
sealHandles(await channel.handles, egressPort, open);
require = sealModules();
end = sealProcess((level, text) => console.write(level, text));
channel.send({ kind: 'ready' });
