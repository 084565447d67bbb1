import { Egress } from '../../runner/egress.ts';
import { RunnerProcess } from '../../runner/runnerProcess.ts';

const LIMITS = { memoryMb: 512, maxOutputBytes: 5_000_000, maxConsoleBytes: 65_536 };
const DESCRIBE_MS = 10_000;

/** Runs the declarations of a bundle in the fence, without network. Throws an Error with the message of the code. */
export async function describeBundle(code: string, file: string): Promise<unknown> {
  const egress = new Egress();
  const dial = () => Promise.reject(new Error('Declarations have no network: connect in `run`'));
  const runner = await RunnerProcess.start({ code, file }, { egress, limits: LIMITS, dial });
  try {
    const end = await runner.call('describe', [], AbortSignal.timeout(DESCRIBE_MS));
    if (!end || end.kind === 'lost') throw new Error('The declarations did not end');
    if (end.kind === 'threw') throw new Error(end.error.message);
    return JSON.parse(end.output);
  } finally {
    runner.kill('stopped');
    await runner.ended;
    egress.close();
  }
}
