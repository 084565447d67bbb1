import { Context } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import { AnswerChunks } from '../../domain/agent/answerChunks.ts';
import type { ContextTrimmed } from '../../domain/agent/contextBudget.ts';
import { smallerContext } from '../../domain/agent/contextOverflow.ts';
import { AGENT_DEFAULTS, type AgentDefinition } from '../../domain/agent/definition.ts';
import type { ListedTool } from '../../domain/agent/mcpTool.ts';
import { pauseBeforeRetry } from '../../domain/agent/modelRetry.ts';
import type { ToolCallRef } from '../../domain/agent/tool.ts';
import type { ModelCall, ModelOutcome } from '../../domain/agent/turnCalls.ts';
import { priced } from '../../domain/agent/usage.ts';
import type { Failure } from '../../domain/execution/outcome.ts';
import { modelCallSpan } from '../../domain/trace/spanIds.ts';
import { inSpan } from '../../engine/tracing/work.ts';
import type { AgentForTurn } from '../../prisma/store/agent/readAgentForTurn.ts';
import { finishStep } from '../../prisma/store/turn/finishStep.ts';
import { noteFailure } from '../../prisma/store/turn/noteFailure.ts';
import { changeOf } from '../../prisma/store/turn/notifyTurn.ts';
import { type OpenedAttempt, openAttempt, type StepOfRun } from '../../prisma/store/turn/openAttempt.ts';
import { rememberContext } from '../../prisma/store/turn/rememberContext.ts';
import { isStepFinished } from '../../prisma/store/turn/runState.ts';
import type { StoredCall } from '../../prisma/store/turn/toolCalls.ts';
import { writeChunks } from '../../prisma/store/turn/writeChunks.ts';
import { runTry } from '../execution/runTry.ts';
import { whileDatabaseAway } from '../execution/whileDatabaseAway.ts';
import { type ChosenProvider, NoProvider, openProvider } from '../providers/chosenProvider.ts';
import type { ProviderFailure } from '../providers/providerFailure.ts';
import type { ActivityServices } from '../services.ts';
import { answerApprovals } from './answerApprovals.ts';
import { ChunkWriter } from './chunkWriter.ts';
import { listMcpTools } from './mcp/listMcpTools.ts';
import { modelRequest, type PreparedRequest } from './modelRequest.ts';
import { offeredTools } from './offeredTools.ts';
import { StopWatch } from './stopWatch.ts';
import { streamAnswer } from './streamAnswer.ts';
import { tokenEstimate } from './tokenEstimate.ts';
import { withToolDigests } from './toolDigest.ts';

/** Too short for a reader to notice. */
const GATHER_MS = 50;

/** Writes chunks as they arrive, then the step's end with its calls. A new attempt replaces earlier chunks. */
export function callModel(services: ActivityServices, call: ModelCall): Promise<ModelOutcome> {
  return runTry(services.config, async (signal) => {
    const { database, log } = services;
    const { workspaceId, runId, step } = call;
    const open = () => whileDatabaseAway(signal, log, () => openAttempt(database, workspaceId, runId, step));
    let opened = await open();
    if (opened?.stopRequested === false && (await answerApprovals(services, call, opened))) opened = await open();
    if (!opened) return { kind: 'stopped' };
    services.tracing.noteTurn(runId, opened.trace);
    if (opened.stopRequested) return { kind: 'stopped' };
    const recorded = opened.steps.find((each) => each.step === step);
    if (recorded)
      return outcomeOf(
        recorded,
        opened.calls.filter((made) => made.step === step),
      );
    const { agent } = opened;
    if (!agent) return { kind: 'failed', code: 'AGENT_GONE' };
    const approved = pendingOf(opened.calls);
    if (approved.length > 0) return { kind: 'approved', calls: approved };
    const stop = new StopWatch(services, call, signal);
    try {
      const attempt = new Attempt(services, call, opened, agent, stop);
      return await inSpan(modelCallSpan(runId, step), () => attempt.run());
    } finally {
      stop.close();
    }
  });
}

/** Must contain no text of the model. */
function outcomeOf({ goesOn }: StepOfRun, calls: readonly StoredCall[]): ModelOutcome {
  return {
    kind: 'answered',
    done: !goesOn,
    calls: pendingOf(calls),
    asks: calls.some(({ status }) => status === 'NEEDS_APPROVAL'),
  };
}

function pendingOf(calls: readonly StoredCall[]): ToolCallRef[] {
  return calls
    .filter(({ status }) => status === 'PENDING')
    .map(({ toolCallId, kind, name }) => ({ toolCallId, kind, name }));
}

type OfferedTools = Awaited<ReturnType<typeof offeredTools>>;

interface Asked {
  failure: ProviderFailure | undefined;
  prepared: PreparedRequest;
  answer: AnswerChunks;
  writer: ChunkWriter;
  hasChunks: boolean;
}

class Attempt {
  readonly #services: ActivityServices;
  readonly #call: ModelCall;
  readonly #opened: OpenedAttempt;
  readonly #agent: AgentForTurn;
  readonly #stop: StopWatch;

  constructor(
    services: ActivityServices,
    call: ModelCall,
    opened: OpenedAttempt,
    agent: AgentForTurn,
    stop: StopWatch,
  ) {
    this.#services = services;
    this.#call = call;
    this.#opened = opened;
    this.#agent = agent;
    this.#stop = stop;
  }

  async run(): Promise<ModelOutcome> {
    const { config, database, log } = this.#services;
    const { workspaceId } = this.#call;
    const askedAt = Date.now();
    const signal = Context.current().cancellationSignal;
    const { definition } = this.#agent;
    const listed = await this.#listed(definition);
    if (listed === undefined) return this.#stopped();
    if ('code' in listed) return this.#failed(listed);
    const provider = await this.#provider();
    if ('code' in provider) return this.#failed(provider);
    const tools = await offeredTools(this.#services, workspaceId, definition, { taskId: this.#opened.taskId, listed });
    const { failure, prepared, answer, writer } = await this.#ask(provider, tools);
    if (this.#stop.isStopped) return this.#stopped(writer);
    if (failure) {
      // The chunks stay until another attempt replaces them. Without one they are the message.
      await this.#flush(writer);
      return this.#failed(failure, prepared.trimmed);
    }
    const { chunks, calls, continues, finishReason, usage: tokens } = answer.end();
    const usage = priced(tokens, config.MODEL_PRICES, definition.selectedModelId);
    const made = await whileDatabaseAway(signal, log, () =>
      withToolDigests(this.#services, workspaceId, definition, tools, calls),
    );
    const rest = await writer.end();
    const times = [askedAt, Date.now()] as const;
    const recorded: StepOfRun = { step: this.#call.step, finishReason, usage, goesOn: continues, times };
    const group = { ...this.#group(rest.sequence), chunks: [...rest.chunks, ...chunks] };
    const written = await whileDatabaseAway(signal, log, () =>
      finishStep(database, workspaceId, group, { ...recorded, trimmed: prepared.trimmed }, made),
    );
    if (written) this.#services.feed.publish(changeOf(this.#call.runId, written));
    // The turn has ended, or another attempt replaced this one; or else an earlier try of this write succeeded unseen.
    else if (!(await whileDatabaseAway(signal, log, () => isStepFinished(database, workspaceId, group))))
      return { kind: 'stopped' };
    return outcomeOf(
      recorded,
      calls.map((made) => ({ ...made, step: this.#call.step })),
    );
  }

  /** If the conversation is too long for the model, asks once more with less of it, as does the rest of the turn. */
  async #ask(provider: ChosenProvider, tools: OfferedTools): Promise<Asked> {
    const prepare = (most: number | null) =>
      modelRequest(this.#call, this.#opened, this.#agent, [...tools.values()], provider.id, most);
    const { contextTokens } = this.#opened;
    const whole = await prepare(contextTokens);
    const asked = await this.#send(provider, whole);
    const { overflow } = asked.failure ?? {};
    if (overflow === undefined || this.#stop.isStopped || asked.hasChunks) return asked;
    const { contextTokens: given = AGENT_DEFAULTS.contextTokens, maxOutputTokens } = this.#agent.definition;
    const sent = JSON.stringify(whole.body);
    const estimate = Math.min((await tokenEstimate())(sent), contextTokens ?? given);
    const tokens = smallerContext(overflow, estimate, maxOutputTokens ?? 0);
    const shorter = await prepare(tokens);
    if (JSON.stringify(shorter.body).length >= sent.length) return asked;
    const { database, log } = this.#services;
    const { workspaceId, runId, step } = this.#call;
    log.info({ workspaceId, runId, step, tokens }, 'a conversation is too long for its model, and is shortened');
    await whileDatabaseAway(Context.current().cancellationSignal, log, () =>
      rememberContext(database, workspaceId, { runId, attempt: this.#opened.attempt, tokens }),
    );
    return this.#send(provider, shorter);
  }

  async #send(provider: ChosenProvider, prepared: PreparedRequest): Promise<Asked> {
    const { config, log } = this.#services;
    const { attempt, sequence, steps } = this.#opened;
    const answer = new AnswerChunks({
      prefix: `${this.#call.runId.slice(-6)}-${attempt}`,
      tools: prepared.tools,
      takenIds: prepared.takenIds,
      mayCall: prepared.mayCall,
      provider: provider.id,
      maxCalls: config.MODEL_MAX_CALLS,
      cutBefore: cutBefore(steps),
    });
    const signal = Context.current().cancellationSignal;
    const writer = new ChunkWriter({
      sequence,
      gatherMs: GATHER_MS,
      onStop: () => this.#stop.now(),
      write: (next, chunks) => whileDatabaseAway(signal, log, () => this.#write(next, chunks)),
    });
    let hasChunks = false;
    const { maxOutputTokens } = this.#agent.definition;
    const timeoutMs = config.MODEL_CALL_TIMEOUT_MS;
    const failure = await streamAnswer(
      provider,
      { body: prepared.body, limit: maxOutputTokens ?? undefined, timeoutMs },
      {
        stop: this.#stop.signal,
        take: (chunk) => {
          hasChunks = true;
          writer.push(answer.take(chunk));
          return answer.isFinished ? 'finished' : answer.hasTooManyCalls ? 'tooMuch' : 'continues';
        },
      },
    );
    return { failure, prepared, answer, writer, hasChunks };
  }

  async #provider(): Promise<ChosenProvider | Failure> {
    const aiConnectionId = this.#agent.definition.aiConnectionId ?? undefined;
    const named = { workspaceId: this.#call.workspaceId, aiConnectionId };
    try {
      return await openProvider(this.#services, named, this.#opened.connection);
    } catch (error) {
      if (error instanceof NoProvider) return { code: error.code, message: error.message, retryable: false };
      throw error;
    }
  }

  #group(sequence: number) {
    return { runId: this.#call.runId, step: this.#call.step, attempt: this.#opened.attempt, sequence };
  }

  async #write(sequence: number, chunks: readonly Parameters<ChunkWriter['push']>[0][number][]) {
    const { database, feed } = this.#services;
    const written = await writeChunks(database, this.#call.workspaceId, { ...this.#group(sequence), chunks });
    if (written) {
      this.#stop.knows(written.revision);
      feed.publish(changeOf(this.#call.runId, written));
    }
    return written;
  }

  async #flush(writer: ChunkWriter): Promise<void> {
    const { sequence, chunks } = await writer.end();
    if (chunks.length > 0) await this.#write(sequence, chunks);
  }

  /** The log and the row get the reason; the workflow gets its code, and whether to retry. */
  async #failed(failure: Failure, trimmed?: ContextTrimmed): Promise<ModelOutcome> {
    const { config, database, log } = this.#services;
    const { workspaceId, runId, step, retries = 0, waitedMs = 0 } = this.#call;
    const { attempt } = this.#opened;
    const { code, message, retryAfterMs } = failure;
    const limits = { maxRetries: this.#agent.definition.maxRetries, maxWaitMs: config.MODEL_RETRY_MAX_WAIT_MS };
    const delayMs = pauseBeforeRetry(failure, { retries, waitedMs }, limits);
    log.warn({ workspaceId, runId, step, code, message, retryAfterMs, delayMs }, 'a call of a model failed');
    const error = { code, message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    const { cancellationSignal: signal } = Context.current();
    await whileDatabaseAway(signal, log, () =>
      noteFailure(database, workspaceId, { runId, attempt, error, delayMs, trimmed }),
    );
    return { kind: 'failed', code, ...(delayMs === undefined ? {} : { delayMs }) };
  }

  async #listed(definition: AgentDefinition): Promise<ListedTool[] | Failure | undefined> {
    try {
      return await listMcpTools(this.#services, this.#call, definition, this.#stop.signal);
    } catch (error) {
      if (this.#stop.isStopped) return undefined;
      throw error;
    }
  }

  async #stopped(writer?: ChunkWriter): Promise<ModelOutcome> {
    if (writer) await this.#flush(writer);
    if (this.#stop.isFinal) return { kind: 'stopped' };
    throw new CancelledFailure('The model call was stopped');
  }
}

/** Counts the newest consecutive answers that were cut off within a call. */
function cutBefore(steps: readonly StepOfRun[]): number {
  const isCut = ({ goesOn, finishReason }: StepOfRun) => goesOn && finishReason !== 'tool-calls';
  return steps.length - 1 - steps.findLastIndex((step) => !isCut(step));
}
