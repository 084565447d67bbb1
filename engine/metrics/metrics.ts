import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { isOpen, RUN_STATUSES } from '../../domain/agent/runStatus.ts';
import { NO_USAGE, type Usage } from '../../domain/agent/usage.ts';
import { ATTEMPT_OUTCOMES, type AttemptOutcome } from '../../domain/event/deliveryPlan.ts';
import { TERMINAL_STATUSES } from '../../domain/execution/status.ts';
import type { NotedProgress, StoreObserver } from '../../domain/operation/storeObserver.ts';
import { METRICS, type MetricEntry, type MetricName } from './metricTable.ts';
import { START_CALL_OUTCOMES, type StartCallOutcome } from './startCallOutcome.ts';

type Labels = Record<string, string>;

const OF_API = (Object.entries(METRICS) as [MetricName, MetricEntry][]).flatMap(([name, { ofApi }]) =>
  ofApi ? [name] : [],
);

/** Returns the slug of a workflow that metrics name; an empty text for all others. */
export type WorkflowName = (workflowId: string | undefined) => Promise<string>;

export interface GaugeValue {
  labels?: Labels;
  value: number;
}

export type DatabaseGauges = Partial<Record<MetricName, readonly GaugeValue[]>>;

/** The metrics of one process (metricTable.ts). It has its own registries, so one process may have several. */
export class Metrics implements StoreObserver {
  readonly #registry = new Registry();
  readonly #made = new Map<MetricName, Counter | Gauge | Histogram>();
  #database: { gauges: DatabaseGauges; isHeld: () => boolean } | undefined;
  #workflowName: WorkflowName | undefined;
  readonly #hasWorkflows: boolean;

  /** `workflows`: possible values of the label `workflow`; `nameWorkflows` sets the lookup. */
  constructor({ workflows = [] }: { workflows?: readonly string[] } = {}) {
    this.#hasWorkflows = workflows.length > 0;
    for (const [name, entry] of Object.entries(METRICS) as [MetricName, MetricEntry][]) {
      // Shown only by the process that computed them: a 0 from the others would be wrong.
      if (!entry.ofDatabase) this.#made.set(name, this.#make(name, entry, this.#registry));
    }
    this.#beginAtZero(workflows);
    for (const name of OF_API) (this.#made.get(name) as Gauge).remove();
  }

  serveApi(): void {
    for (const name of OF_API) this.add(name, 0);
  }

  nameWorkflows(name: WorkflowName): void {
    this.#workflowName = name;
  }

  get registry(): Registry {
    return this.#registry;
  }

  async text(): Promise<string> {
    const ofDatabase = new Registry();
    const gauges = this.#database?.isHeld() ? this.#database.gauges : {};
    for (const [name, values] of Object.entries(gauges) as [MetricName, readonly GaugeValue[]][]) {
      const gauge = this.#make(name, METRICS[name], ofDatabase) as Gauge;
      for (const { labels = {}, value } of values) gauge.set(labels, value);
    }
    return `${await this.#registry.metrics()}\n${await ofDatabase.metrics()}`;
  }

  /** Shows the gauges while `isHeld`: while no other process computes them. */
  setDatabaseGauges(gauges: DatabaseGauges, isHeld: () => boolean): void {
    this.#database = { gauges, isHeld };
  }

  count(name: MetricName, labels: Labels = {}, by = 1): void {
    (this.#made.get(name) as Counter).inc(labels, by);
  }

  observe(name: MetricName, seconds: number, labels: Labels = {}): void {
    (this.#made.get(name) as Histogram).observe(labels, seconds);
  }

  add(name: MetricName, by: number): void {
    (this.#made.get(name) as Gauge).inc(by);
  }

  /** Reads the value at each scrape; undefined shows nothing. */
  readAtScrape(name: MetricName, read: () => number | undefined): void {
    const gauge = this.#made.get(name) as Gauge & { collect?: () => void };
    gauge.collect = () => {
      const value = read();
      if (value === undefined) gauge.remove();
      else gauge.set(value);
    };
  }

  progressed(noted: NotedProgress): void {
    for (const [app, action, status, seconds] of noted.steps ?? []) {
      this.count('perdure_steps_total', { app, action, status });
      this.observe('perdure_step_duration_seconds', seconds);
    }
    const { begunAfter, end } = noted;
    if (begunAfter !== undefined) this.observe('perdure_execution_start_delay_seconds', Math.max(begunAfter, 0));
    if (begunAfter === undefined && end === undefined) return;
    if (!this.#hasWorkflows) this.#countExecution(noted, {});
    else
      void (this.#workflowName?.(noted.workflowId) ?? Promise.resolve('')).then((workflow) =>
        this.#countExecution(noted, { workflow }),
      );
  }

  turnEnded(status: string): void {
    this.count('perdure_turns_total', { status });
  }

  modelCalled({ inputTokens, outputTokens, cachedInputTokens, reasoningTokens }: Usage): void {
    const kinds = {
      input: inputTokens,
      output: outputTokens,
      cached_input: cachedInputTokens,
      reasoning: reasoningTokens,
    };
    for (const [kind, tokens] of Object.entries(kinds)) this.count('perdure_model_tokens_total', { kind }, tokens);
  }

  leasesExpired(count: number): void {
    this.count('perdure_lease_expiries_total', {}, count);
  }

  startCalled(outcome: StartCallOutcome): void {
    this.count('perdure_start_calls_total', { outcome });
  }

  eventAttempted(outcome: AttemptOutcome, lateSeconds?: number): void {
    this.count('perdure_event_attempts_total', { outcome });
    if (lateSeconds !== undefined) this.observe('perdure_event_delay_seconds', Math.max(lateSeconds, 0));
  }

  /** Starts series at zero: Prometheus sees no growth in a first value, so alerts would miss it. */
  #beginAtZero(workflows: readonly string[]): void {
    const named = this.#hasWorkflows ? ['', ...workflows].map((workflow) => ({ workflow })) : [{}];
    for (const labels of named) {
      this.count('perdure_executions_started_total', labels, 0);
      for (const status of TERMINAL_STATUSES) this.count('perdure_executions_ended_total', { ...labels, status }, 0);
    }
    for (const status of RUN_STATUSES.filter((each) => !isOpen(each))) this.count('perdure_turns_total', { status }, 0);
    for (const outcome of ATTEMPT_OUTCOMES) this.count('perdure_event_attempts_total', { outcome }, 0);
    for (const outcome of START_CALL_OUTCOMES) this.count('perdure_start_calls_total', { outcome }, 0);
    this.modelCalled(NO_USAGE);
  }

  #countExecution({ begunAfter, end, lasted = 0 }: NotedProgress, labels: Labels): void {
    if (begunAfter !== undefined) this.count('perdure_executions_started_total', labels);
    if (end === undefined) return;
    this.count('perdure_executions_ended_total', { ...labels, status: end });
    this.observe('perdure_execution_duration_seconds', Math.max(lasted, 0), labels);
  }

  #make(name: MetricName, entry: MetricEntry, registry: Registry): Counter | Gauge | Histogram {
    const labelNames = [...(entry.labels ?? []), ...(entry.byWorkflow && this.#hasWorkflows ? ['workflow'] : [])];
    const options = { name, help: entry.help, labelNames, registers: [registry] };
    if (entry.kind === 'counter') return new Counter(options);
    if (entry.kind === 'gauge') return new Gauge(options);
    return new Histogram({ ...options, buckets: [...(entry.buckets ?? [])] });
  }
}
