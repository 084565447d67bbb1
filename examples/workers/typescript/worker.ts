import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import * as activities from './activities.ts';

const taskQueue = 'billing-typescript';
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address: process.env.TEMPORAL_ADDRESS ?? '127.0.0.1:7233' }),
  taskQueue,
  activities,
  workflowsPath: fileURLToPath(new URL('workflows.ts', import.meta.url)),
});
console.log(`polls ${taskQueue}`);
await worker.run();
