import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { mendBrokenStore } from './brokenStore.ts';
import { type SupervisedChild, startChild } from './childProcess.ts';
import type { Target } from './loopbackProxy.ts';
import type { Say } from './say.ts';

/**
 * By default a shard polls its queues 20 times a second: three activities take 350 ms, now 34
 * (docs/architecture/facts.md).
 */
const DYNAMIC_CONFIG: Record<string, number | boolean | string> = {
  'history.transferProcessorMaxPollRPS': 2_000,
  'history.timerProcessorMaxPollRPS': 2_000,
  // One second by default, which delays every timer.
  'history.timerProcessorMaxTimeShift': '"20ms"',
  // Ten minutes by default, which is how long a task would wait after its workers died repeatedly.
  'history.workflowTaskRetryMaxInterval': '"10s"',
  // 30 seconds by default: a deleted workflow stays listed until the server has recorded its end.
  'history.transferProcessorUpdateAckInterval': '"2s"',
  // 100 by default. With more events during a workflow task the server takes it from its worker, and Core leaves a
  // history that cannot be replayed. A hundred actions that end together are 200.
  'history.maximumBufferedEventsBatch': 10_000,
  'history.persistenceMaxQPS': 100_000,
  'history.rps': 100_000,
  'frontend.rps': 100_000,
  'frontend.namespaceRPS': 100_000,
  'frontend.namespaceRPS.visibility': 1_000,
  'frontend.namespaceCount': 20_000,
  'frontend.persistenceMaxQPS': 100_000,
  'matching.rps': 100_000,
  'matching.persistenceMaxQPS': 100_000,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  'system.enableActivityEagerExecution': true,
  'system.enableEagerWorkflowStart': true,
};

export interface EmbeddedTemporal {
  address: string;
  child: SupervisedChild;
}

const READY_DEADLINE_MS = 2_000;
/** Interval of checks of the store, and their timeout, also on a busy machine. */
const LOOK_MS = 10_000;

async function answers(address: string, namespace: string, deadlineMs: number): Promise<boolean> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.connect({ address, connectTimeout: 1_000 });
    await connection.withDeadline(Date.now() + deadlineMs, () =>
      (connection as Connection).workflowService.describeNamespace({ namespace }),
    );
    return true;
  } catch {
    return false;
  } finally {
    await connection?.close();
  }
}

/** Otherwise the server would export spans and metrics of its internal calls. */
function withoutTracing(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('OTEL_')));
}

/** Starts a Temporal server with its UI on loopback; its state is in `<dataDir>/temporal.db`. */
export async function startTemporal(options: {
  command: string;
  dataDir: string;
  port: number;
  /** The UI's address behind the proxy (loopbackProxy.ts). */
  ui: Target;
  namespace: string;
  say: Say;
}): Promise<EmbeddedTemporal> {
  const address = `127.0.0.1:${options.port}`;
  mkdirSync(options.dataDir, { recursive: true });
  const logFile = join(options.dataDir, 'logs/temporal.log');
  const child = await startChild({
    name: 'Temporal server',
    command: options.command,
    args: [
      ...['server', 'start-dev', '--ip', '127.0.0.1', '--log-level', 'error', '--disable-config-file'],
      ...['--port', String(options.port), '--ui-ip', options.ui.host],
      ...['--ui-port', String(options.ui.port)],
      ...(options.namespace === 'default' ? [] : ['--namespace', options.namespace]),
      ...['--db-filename', join(options.dataDir, 'temporal.db')],
      ...['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL'],
      ...Object.entries(DYNAMIC_CONFIG).flatMap(([key, value]) => ['--dynamic-config-value', `${key}=${value}`]),
    ],
    env: withoutTracing(process.env),
    logFile,
    isReady: () => answers(address, options.namespace, READY_DEADLINE_MS),
    readyTimeoutMs: 60_000,
    say: options.say,
  });
  const stopLooking = mendBrokenStore({
    ...{ child, logFile, say: options.say, everyMs: LOOK_MS },
    answers: () => answers(address, options.namespace, LOOK_MS),
  });
  const stop = (graceMs: number) => {
    stopLooking();
    return child.stop(graceMs);
  };
  return { address, child: { ...child, stop } };
}
