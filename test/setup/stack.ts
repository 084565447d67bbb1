import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { type ProductionFacts, startProductionStack } from '../production/productionStack.ts';
import { startStack } from './ownStack.ts';

/** What tests know of the one stack of the run: `inject('stack')`. */
export interface SharedStack {
  url: string;
  databaseUrl: string;
  /** host:port */
  temporalAddress: string;
  /** Of a workspace that no test owns: make one's own by test/setup/workspace.ts. */
  apiKey: string;
  dataDir: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    stack: SharedStack;
  }
}

/** Whatever serves the run: `npm start`, or with PERDURE_TEST_STACK=production the layout of docker-compose.yml. */
export interface RunStack {
  stack: SharedStack;
  production?: ProductionFacts;
  dispose(): Promise<void>;
}

/** Several projects of one run ask for the stack: the first one starts it, the last one to leave stops it. */
interface Shared {
  users: number;
  stack: Promise<RunStack>;
}

const place = globalThis as { perdureStack?: Shared };

function begin(): Shared {
  execFileSync(process.execPath, [join(PROJECT_ROOT, 'prepare.mjs')], { stdio: 'inherit' });
  const isProduction = process.env.PERDURE_TEST_STACK === 'production';
  return { users: 0, stack: isProduction ? startProductionStack() : startEmbedded() };
}

async function startEmbedded(): Promise<RunStack> {
  // No test of the one stack is about a slow engine; a busy machine may be slow.
  const own = await startStack({ environment: { TEMPORAL_CALL_TIMEOUT_MS: '10000', CANCEL_WAIT_MS: '20000' } });
  const { url, databaseUrl, temporalAddress, dataDir, credentials } = own;
  return {
    stack: { url, databaseUrl, temporalAddress, apiKey: credentials.apiKey, dataDir },
    dispose: () => own.dispose(),
  };
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  place.perdureStack ??= begin();
  const shared = place.perdureStack;
  shared.users += 1;
  const { stack, production, dispose } = await shared.stack;
  project.provide('stack', stack);
  if (production) project.provide('production', production);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    delete place.perdureStack;
    await dispose();
  };
}
