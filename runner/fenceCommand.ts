import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compiledBeside } from '../projectRoot.ts';

export const FENCE_FOLDER = realpathSync(dirname(compiledBeside(import.meta.url, 'fence/main.js')));
const PERMISSION = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';
/** Ends an endless loop whose worker was killed: nobody else would. In seconds of processor time. */
const MAX_CPU_SECONDS = 10_800;
/** The maximum size of a message to the process: a bundle, or the inputs of a call. */
export const MAX_FRAME_BYTES = 16 * 1_048_576;

const SCRIPT = `ulimit -c 0; ulimit -t ${MAX_CPU_SECONDS}; exec "$0" "$@"`;

/** The arguments of /bin/sh that start a fenced process. */
export function fenceArguments({ memoryMb }: { memoryMb: number }, egressPort: number): string[] {
  return [
    '-c',
    SCRIPT,
    process.execPath,
    PERMISSION,
    `--allow-fs-read=${FENCE_FOLDER}/`,
    `--max-old-space-size=${memoryMb}`,
    '--no-addons',
    '--no-warnings',
    join(FENCE_FOLDER, 'main.js'),
    String(egressPort),
    String(MAX_FRAME_BYTES),
  ];
}

/** Node reads these when it starts; the fence removes them before it loads any code. */
export function fenceEnvironment(): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS } = process.env;
  return NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS };
}
