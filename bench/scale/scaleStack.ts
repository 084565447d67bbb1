import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { TERMINAL_STATUSES } from '../../domain/execution/status.ts';
import { type JsonClient, jsonClient } from '../jsonClient.ts';
import { findProcesses, type ProcessName, residentMib } from '../processes.ts';
import { type BenchStack, startStack } from '../stack.ts';

const LOOK_MS = 250;

type Memory = Partial<Record<ProcessName, number>>;

export class ScaleStack {
  readonly #folder: string;
  #stack: BenchStack;
  #client: JsonClient;

  private constructor(folder: string, stack: BenchStack) {
    this.#folder = folder;
    this.#stack = stack;
    this.#client = connect(stack);
  }

  static async start(folder: string): Promise<ScaleStack> {
    return new ScaleStack(folder, await startStack(folder));
  }

  get client(): JsonClient {
    return this.#client;
  }

  get stack(): BenchStack {
    return this.#stack;
  }

  async restart(): Promise<void> {
    await this.stop();
    this.#stack = await startStack(this.#folder);
    this.#client = connect(this.#stack);
  }

  async stop(): Promise<void> {
    await this.#client.close();
    await this.#stack.stop();
  }

  /** Measures a stage: its time, the database's transactions, and the maximum memory of each process. */
  async stage(name: string, work: () => Promise<object | undefined>): Promise<void> {
    const before = await this.#transactions();
    const memory = this.#watchMemory();
    const startedAt = performance.now();
    const measured = await work().finally(() => memory.stop());
    const seconds = Number(((performance.now() - startedAt) / 1_000).toFixed(1));
    const after = await this.#transactions();
    const statements = after === undefined || before === undefined || after < before ? undefined : after - before;
    console.log(JSON.stringify({ stage: name, seconds, statements, ...measured, mostMemoryMib: await memory.most() }));
  }

  async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const database = new pg.Client({ connectionString: this.#stack.running.databaseUrl });
    await database.connect();
    try {
      return (await database.query<Row>(text, values)).rows;
    } finally {
      await database.end();
    }
  }

  async deploy(definition: object): Promise<string> {
    const { projectId } = this.#stack.credentials;
    return (await this.#client.call('POST', `/api/projects/${projectId}/workflows/upsert`, definition)).body.id;
  }

  async execute(workflowId: string, inputData: object = {}): Promise<string> {
    const path = `/api/executions/workflows/${workflowId}/execute`;
    return (await this.#client.call('POST', path, { inputData })).body.executionId;
  }

  async untilEnded(executionId: string, expected: string): Promise<void> {
    for (;;) {
      const path = `/api/executions/${executionId}?expansion=status,statusMessage`;
      const { status, statusMessage } = (await this.#client.call('GET', path)).body;
      if (status === expected) return;
      if (TERMINAL_STATUSES.includes(status)) throw new Error(`it ended ${status}: ${statusMessage}`);
      await sleep(LOOK_MS);
    }
  }

  /** Each transaction has one statement here. Undefined if the database does not count them. */
  async #transactions(): Promise<number | undefined> {
    const [row] = await this.sql<{ count: string }>(
      'SELECT sum(xact_commit) AS count FROM pg_stat_database WHERE datname = current_database()',
    );
    return row && Number(row.count) > 0 ? Number(row.count) : undefined;
  }

  #watchMemory(): { stop(): void; most(): Promise<Memory> } {
    const most: Memory = {};
    const look = async () => {
      const { pid } = this.#stack;
      const { bare: _, ...now } = await residentMib(await findProcesses(pid, pid));
      for (const [name, mib] of Object.entries(now) as [ProcessName, number][])
        if (Number.isFinite(mib)) most[name] = Math.max(most[name] ?? 0, Math.round(mib));
    };
    // A restarting process is measured next time.
    const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS);
    return {
      stop: () => clearInterval(timer),
      async most() {
        await look();
        return most;
      },
    };
  }
}

function connect({ credentials }: BenchStack): JsonClient {
  return jsonClient(credentials.url, { 'x-api-key': credentials.apiKey });
}
