export interface StartedPostgres {
  url: string;
  /** The folder of its programs. */
  bin: string;
  stop(): Promise<void>;
}

export function startPostgres(
  place: (home: string) => string,
  more?: { settings?: Record<string, string | number>; files?: Record<string, string> },
): Promise<StartedPostgres>;
