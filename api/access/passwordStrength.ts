import { Worker } from 'node:worker_threads';
import { compiledBeside } from '../../projectRoot.ts';
import type { Strength, StrengthTask } from './strengthThread.ts';
import { createTurnstile } from './turnstile.ts';

/** The work grows faster than the guesses, so only the hardest part of this length is estimated. */
const PART = 24;
/** The thread ends this long after the last password. */
const KEPT_MS = 60_000;

/** One at a time, because the dictionaries take about 70 MB. */
const passTurnstile = createTurnstile({ size: 1, maxWaiting: 50 });

let kept: { worker: Worker; ends: NodeJS.Timeout } | undefined;

/** Uses `known` facts about the user. Runs in a thread: reading the dictionaries blocks a process for a second. */
export function strengthOf(password: string, known: readonly string[], signal: AbortSignal): Promise<Strength> {
  const characters = [...password.normalize('NFKC')];
  const parts = [characters.slice(0, PART), ...(characters.length > PART ? [characters.slice(-PART)] : [])];
  const task = { texts: parts.map((part) => part.join('')), known };
  return passTurnstile(known.join(' '), signal, () => ask(task));
}

function ask(task: StrengthTask): Promise<Strength> {
  const worker = thread();
  // Keeps a process alive that does nothing else, such as an admin command.
  worker.ref();
  return new Promise((resolve, reject) => {
    const settle = (how: () => void) => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      worker.unref();
      how();
    };
    const onMessage = (strength: Strength) => settle(() => resolve(strength));
    const onError = (error: Error) => settle(() => reject(error));
    const onExit = () => settle(() => reject(new Error('The thread that estimates passwords has ended')));
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage(task);
  });
}

function thread(): Worker {
  if (kept) {
    kept.ends.refresh();
    return kept.worker;
  }
  const worker = new Worker(compiledBeside(import.meta.url, 'strengthThread.js'), { env: {}, argv: [], execArgv: [] });
  worker.unref();
  const forget = () => {
    if (kept?.worker !== worker) return;
    clearTimeout(kept.ends);
    kept = undefined;
  };
  // Waiting callers get the error.
  worker.on('error', forget).once('exit', forget);
  const ends = setTimeout(() => {
    forget();
    void worker.terminate();
  }, KEPT_MS).unref();
  kept = { worker, ends };
  return worker;
}
