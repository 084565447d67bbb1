import { durationWritten } from '../../../domain/durationWords.ts';
import { type ThreadCall, ThreadPool } from '../../../engine/threads/threadPool.ts';
import { compiledBeside } from '../../../projectRoot.ts';
import type { ImportAnswer, ImportTask } from './importThread.ts';

const MEMORY_MB = 512;

const pool = new ThreadPool<ImportTask, ImportAnswer>({
  most: 1,
  entry: compiledBeside(import.meta.url, 'importThread.js'),
  resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
});

/** Makes an app of an OpenAPI document, with limits for time and memory. */
export async function importInThread(task: ImportTask, call: ThreadCall): Promise<ImportAnswer> {
  try {
    const answer = await pool.run(task, call);
    if (answer !== 'outOfTime') return answer;
    return tooMuch(`takes longer than ${durationWritten(call.timeoutMs)} (APP_IMPORT_TIMEOUT_MS)`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    return tooMuch(`needs more than ${MEMORY_MB} MiB of memory`);
  }
}

function tooMuch(what: string): ImportAnswer {
  return { problems: [{ path: '', message: `the import ${what}: name operations, or simplify the document` }] };
}
