/** The layout's data for tests: `inject('production')`. */
export interface ProductionFacts {
  /** The APIs behind the url of the stack. */
  apis: string[];
  /** Absolute paths of the processes' scripts. */
  main: { api: string; worker: string };
  /** Each job of the file can be run again. */
  jobs: Record<string, Job>;
  /** In the form that the server's image reads: it names its databases. */
  temporal: Record<string, string>;
  /** Without PORT. */
  api: Record<string, string>;
  stopGraceMs: number;
}

export interface Job {
  command: string[];
  environment: Record<string, string>;
}
