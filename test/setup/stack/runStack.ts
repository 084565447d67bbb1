import type { ProductionFacts } from '../../production/productionFacts.ts';

/** The data of the shared stack for tests: `inject('stack')`. */
export interface SharedStack {
  url: string;
  /** One API itself, where `url` is a proxy's. */
  apiUrl: string;
  databaseUrl: string;
  /** host:port */
  temporalAddress: string;
  /** Of a workspace that no test owns: make one's own by test/setup/workspace/workspace.ts. */
  apiKey: string;
  dataDir: string;
  /** How many APIs share the url: what each decides by itself, it decides that often. */
  apis: number;
  /** Likewise of workers. */
  workers: number;
  /** PUBLIC_URL, where it has one: links for people are made from it. */
  publicUrl: string | null;
}

/** Of every stack of a run: more than a retry of these tests takes over at once. */
export const RETRY_BATCH_ITERATIONS = '5';
/** Likewise: fewer than some retry of these tests has to compare. */
export const MAX_COMPARED_STEPS = '40';

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
