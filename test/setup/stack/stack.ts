import { startProductionStack } from '../../production/productionStack.ts';
import { startStack } from './ownStack.ts';
import { MAX_COMPARED_STEPS, RETRY_BATCH_ITERATIONS, type RunStack } from './runStack.ts';

/** Called by test/run.mjs before the first room that needs the stack. */
export function startRunStack(): Promise<RunStack> {
  return process.env.PERDURE_TEST_STACK === 'production' ? startProductionStack() : startEmbedded();
}

async function startEmbedded(): Promise<RunStack> {
  // No test of the shared stack checks slow Temporal calls, and a busy machine may be slow.
  const own = await startStack({
    environment: {
      TEMPORAL_CALL_TIMEOUT_MS: '10000',
      CANCEL_WAIT_MS: '20000',
      RECONCILE_INTERVAL_MS: '1000',
      SWEEP_INTERVAL_MS: '1000',
      RETRY_BATCH_ITERATIONS,
      MAX_COMPARED_STEPS,
      // A stream that ends sooner was notified (revokedFollowers).
      SSE_HEARTBEAT_MS: '600000',
    },
  });
  const { url, databaseUrl, temporalAddress, dataDir, credentials } = own;
  return {
    stack: {
      url,
      apiUrl: url,
      databaseUrl,
      temporalAddress,
      apiKey: credentials.apiKey,
      dataDir,
      apis: 1,
      workers: 1,
      publicUrl: null,
    },
    dispose: () => own.dispose(),
  };
}
