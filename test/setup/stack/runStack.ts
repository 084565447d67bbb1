import type { ProductionFacts } from '../../production/productionFacts.ts';

/** The shared stack for tests: `inject('stack')`. */
export interface SharedStack {
  url: string;
  /** Address of one API if `url` is a proxy's. */
  apiUrl: string;
  databaseUrl: string;
  /** host:port */
  temporalAddress: string;
  /** Key of a workspace that no test owns; test/setup/workspace/workspace.ts creates one for a test. */
  apiKey: string;
  dataDir: string;
  /** Number of APIs behind the url: per-process limits apply that many times. */
  apis: number;
  /** Number of workers, likewise. */
  workers: number;
  /** PUBLIC_URL if set: base of links for people. */
  publicUrl: string | null;
}

/** Small enough that some retries need several batches. */
export const RETRY_BATCH_ITERATIONS = '5';
/** Small enough that some retries exceed it. */
export const MAX_COMPARED_STEPS = '40';
/** The stack has several workspaces, so only listed queues may be named. */
export const WORKER_TASK_QUEUES = '[{"pattern":"of-test-*"},{"pattern":"billing-*"}]';

export interface Given {
  stack: SharedStack;
  production: ProductionFacts;
}

/** `npm start`, or with PERDURE_TEST_STACK=production the layout of docker-compose.yml. */
export interface RunStack {
  stack: SharedStack;
  production?: ProductionFacts;
  dispose(): Promise<void>;
}
