import { runProcess } from '../process/runProcess.ts';
import { startWorker } from './startWorker.ts';

await runProcess('worker', (parts, temporal) => startWorker(parts, temporal));
