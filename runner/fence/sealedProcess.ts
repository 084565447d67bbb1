import { Readable, Writable } from 'node:stream';
import { refusalOf, replace } from './sealed.ts';

const SEALED = [
  '_debugEnd',
  '_debugProcess',
  '_getActiveHandles',
  '_getActiveRequests',
  '_kill',
  '_linkedBinding',
  '_rawDebug',
  '_startProfilerIdleNotifier',
  '_stopProfilerIdleNotifier',
  'abort',
  'binding',
  'chdir',
  'dlopen',
  'execve',
  'exit',
  'initgroups',
  'kill',
  'loadEnvFile',
  'openStdin',
  'reallyExit',
  'setUncaughtExceptionCaptureCallback',
  'setegid',
  'seteuid',
  'setgid',
  'setgroups',
  'setuid',
  'umask',
];

/** Leaves of `process` what a function can need. Returns the way to end this process. */
export function sealProcess(write: (level: 'log' | 'error', text: string) => void): (code: number) => never {
  const end = (process as unknown as { reallyExit(code: number): never }).reallyExit.bind(process);
  for (const name of SEALED) if (name in process) replace(process, name, refusalOf(`process.${name}`));
  for (const name of Object.keys(process.env)) delete process.env[name];
  replace(process, 'argv', ['node']);
  replace(process, 'execArgv', []);
  for (const name of ['report', 'mainModule']) replace(process, name, undefined);
  replace(process, 'stdin', Readable.from([]));
  replace(
    process,
    'stdout',
    lines((text) => write('log', text)),
  );
  replace(
    process,
    'stderr',
    lines((text) => write('error', text)),
  );
  return end;
}

function lines(write: (text: string) => void): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: unknown, _encoding, done) {
      write(String(chunk).replace(/\n$/, ''));
      done();
    },
  });
}
