import { Worker } from 'node:worker_threads';
import { compiledBeside } from '../../projectRoot.ts';
import type { Strength, StrengthTask } from './strengthThread.ts';
import { createTurnstile } from './turnstile.ts';

/** Guesses of a text grow with it, and the work grows faster: the hardest part of so many characters is enough to go by. */
const PART = 24;
/** Life of the thread after the last password. */
const KEPT_MS = 60_000;

/** One at a time, for the dictionaries take some 70 MB. */
const passTurnstile = createTurnstile({ size: 1, mostWaiting: 50 });

let kept: { worker: Worker; ends: NodeJS.Timeout } | undefined;

/**
 * How hard a password is to guess for somebody who knows words, names, common passwords and what is `known` of the person. In a thread
 * that ends when nobody has asked for a minute: reading the dictionaries would hold the process for a second.
 */
export function strengthOf(password: string, known: readonly string[], signal: AbortSignal): Promise<Strength> {
  const characters = [...password.normalize('NFKC')];
  const parts = [characters.slice(0, PART), ...(characters.length > PART ? [characters.slice(-PART)] : [])];
  const task = { texts: parts.map((part) => part.join('')), known };
  return passTurnstile(known.join(' '), signal, () => ask(task));
}

function ask(task: StrengthTask): Promise<Strength> {
  const worker = thread();
  // A process that has nothing else to do, as an admin command, waits for the answer.
  worker.ref();
  return new Promise((resolve, reject) => {
    const settle = (how: () => void) => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      worker.unref();
      how();
    };
    const onMessage = (strength: Strength) => settle(() => resolve(strength));
    const onError = (error: Error) => settle(() => reject(error));
    const onExit = () => settle(() => reject(new Error('The thread that judges passwords has ended')));
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage(task);
  });
}

/** The thread, which lives for another minute. */
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
  // Whoever waits gets the error.
  worker.on('error', forget).once('exit', forget);
  const ends = setTimeout(() => {
    forget();
    void worker.terminate();
  }, KEPT_MS).unref();
  kept = { worker, ends };
  return worker;
}
