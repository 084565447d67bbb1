export interface TestResult {
  room: string;
  file: string;
  name: string | undefined;
  status: 'passed' | 'failed' | 'skipped';
  ms: number;
  error?: string;
}

export function callJest(call: {
  root: string;
  room: { name: string; workers: number; timeoutMs: number };
  files: string[];
  given?: object;
  args?: string[];
  signal: AbortSignal;
}): Promise<TestResult[]>;
