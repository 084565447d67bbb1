/** The data of the layout for tests, beside the stack: `inject('production')`. */
export interface ProductionFacts {
  /** Urls of the APIs behind the one of the stack. */
  apis: string[];
  /** Absolute paths of the scripts of the processes, one each. */
  main: { api: string; worker: string };
  /** Each job of the file with its command and environment: it may run again. */
  jobs: Record<string, Job>;
  /** Environment of the Temporal server, as its image reads it: where its databases are. */
  temporal: Record<string, string>;
  /** Environment of the APIs, but for PORT. */
  api: Record<string, string>;
  stopGraceMs: number;
}

export interface Job {
  command: string[];
  environment: Record<string, string>;
}
