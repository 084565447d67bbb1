import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { makeGuest } from './guest.ts';
import type { GuestTask, GuestThreadData } from './guestMessages.ts';

/** The entry of a thread. A guest is created in advance and serves one run. */
const { maxMemoryMb } = workerData as GuestThreadData;
const wasm = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
const wasmModule = new WebAssembly.Module(readFileSync(wasm));
const port = parentPort;
if (port === null) throw new Error('guestThread is the entry of a worker thread');

// This thread belongs to the guest alone. So its clock is the guest's: UTC, and constant during a run.
const parts = ['Date', 'Day', 'FullYear', 'Hours', 'Minutes', 'Month', 'Seconds'] as const;
for (const part of parts) Date.prototype[`get${part}`] = Date.prototype[`getUTC${part}`];
Date.prototype.getTimezoneOffset = () => 0;

let guest = makeGuest(wasmModule, maxMemoryMb);
await guest;
port.on('message', async (task: GuestTask) => {
  const ready = await guest;
  Date.now = () => task.now;
  port.postMessage(ready.run(task));
  // If this ever fails, the unhandled rejection ends the thread and the pool creates another.
  guest = makeGuest(wasmModule, maxMemoryMb);
});
port.postMessage('ready');
