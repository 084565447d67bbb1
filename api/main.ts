import { runProcess } from '../process/runProcess.ts';
import { startApi } from './startApi.ts';

await runProcess('api', (parts) => startApi(parts));
