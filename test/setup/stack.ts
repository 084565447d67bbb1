import { type ProductionFacts, startProductionStack } from '../production/productionStack.ts';
import { startStack } from './ownStack.ts';

/** The data of the shared stack for tests: `inject('stack')`. */
export interface SharedStack {
  url: string;
  /** One API itself, where `url` is a proxy's. */
  apiUrl: string;
  databaseUrl: string;
  /** host:port */
  temporalAddress: string;
  /** Of a workspace that no test owns: make one's own by test/setup/workspace.ts. */
  apiKey: string;
  dataDir: string;
  /** How many APIs share the url: what each decides by itself, it decides that often. */
  apis: number;
}

/** The data of a run for its tests: `inject(name)`. */
export interface Given {
  stack: SharedStack;
  production: ProductionFacts;
}

/** The kind of stack: `npm start`, or with PERDURE_TEST_STACK=production the layout of docker-compose.yml. */
export interface RunStack {
  stack: SharedStack;
  production?: ProductionFacts;
  dispose(): Promise<void>;
}

/** test/run.mjs starts it before the first room that needs it, and ends it with dispose(). */
export function startRunStack(): Promise<RunStack> {
  return process.env.PERDURE_TEST_STACK === 'production' ? startProductionStack() : startEmbedded();
}

async function startEmbedded(): Promise<RunStack> {
  // No test of the one stack is about a slow engine; a busy machine may be slow.
  const own = await startStack({
    environment: { TEMPORAL_CALL_TIMEOUT_MS: '10000', CANCEL_WAIT_MS: '20000', RECONCILE_INTERVAL_MS: '1000' },
  });
  const { url, databaseUrl, temporalAddress, dataDir, credentials } = own;
  return {
    stack: { url, apiUrl: url, databaseUrl, temporalAddress, apiKey: credentials.apiKey, dataDir, apis: 1 },
    dispose: () => own.dispose(),
  };
}
