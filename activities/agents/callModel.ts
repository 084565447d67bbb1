import { Context } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import { AnswerChunks, type ProviderChunk } from '../../domain/agent/answerChunks.ts';
import type { ModelCall, ModelOutcome } from '../../domain/agent/turnCalls.ts';
import { priced } from '../../domain/agent/usage.ts';
import type { Failure } from '../../domain/execution/outcome.ts';
import { readAgentForTurn } from '../../prisma/store/agent/readAgentForTurn.ts';
import { type ClaimedAttempt, claimAttempt, type RecordedStep } from '../../prisma/store/turn/claimAttempt.ts';
import { finishStep } from '../../prisma/store/turn/finishStep.ts';
import { changeOf } from '../../prisma/store/turn/notifyTurn.ts';
import { readStepCalls, type StoredCall } from '../../prisma/store/turn/toolCalls.ts';
import { writeChunks } from '../../prisma/store/turn/writeChunks.ts';
import { patiently } from '../execution/patiently.ts';
import { asTry } from '../execution/tries.ts';
import { chosenProvider, NoProvider } from '../providers/chosenProvider.ts';
import { providerFailure } from '../providers/providerFailure.ts';
import type { ActivityServices } from '../services.ts';
import { ChunkWriter } from './chunkWriter.ts';
import { modelRequest } from './modelRequest.ts';
import { offeredTools } from './offeredTools.ts';
import { StopWatch } from './stopWatch.ts';

/** Nobody sees a pause of that length. */
const GATHER_MS = 50;

/**
 * One call of the model: what it streams is written as it comes, and its end with what it has asked for. Made again, it is
 * another attempt, which replaces what the one before has streamed; a step that has ended is not asked again.
 */
export function callModel(services: ActivityServices, call: ModelCall): Promise<ModelOutcome> {
  return asTry(async (signal) => {
    const { database, log } = services;
    const { workspaceId, runId, step } = call;
    const claimed = await patiently(signal, log, () => claimAttempt(database, workspaceId, runId));
    if (!claimed || claimed.stopRequested) return { kind: 'stopped' };
    const recorded = claimed.steps.find((each) => each.step === step);
    if (recorded) return outcomeOf(recorded, await readStepCalls(database, workspaceId, runId, step));
    const stop = new StopWatch(services, call, signal);
    try {
      return await new Attempt(services, call, claimed, stop).run();
    } finally {
      stop.close();
    }
  });
}

/** What the workflow is told: nothing that the model has said. */
function outcomeOf({ goesOn }: RecordedStep, calls: readonly StoredCall[]): ModelOutcome {
  const runs = calls.filter(({ status }) => status === 'PENDING');
  return {
    kind: 'answered',
    done: !goesOn,
    calls: runs.map(({ toolCallId, kind, name }) => ({ toolCallId, kind, name })),
    asks: calls.some(({ status }) => status === 'NEEDS_APPROVAL'),
  };
}

class Attempt {
  readonly #services: ActivityServices;
  readonly #call: ModelCall;
  readonly #claimed: ClaimedAttempt;
  readonly #stop: StopWatch;

  constructor(services: ActivityServices, call: ModelCall, claimed: ClaimedAttempt, stop: StopWatch) {
    this.#services = services;
    this.#call = call;
    this.#claimed = claimed;
    this.#stop = stop;
  }

  async run(): Promise<ModelOutcome> {
    const { config, database, log } = this.#services;
    const { workspaceId } = this.#call;
    const { attempt, sequence } = this.#claimed;
    const signal = Context.current().cancellationSignal;
    const agent = await readAgentForTurn(database, workspaceId, this.#claimed.agentId);
    if (!agent) return { kind: 'failed', code: 'AGENT_GONE', retry: false };
    const tools = await offeredTools(this.#services, workspaceId, agent.definition);
    const prepared = await modelRequest(this.#services, this.#call, this.#claimed, agent, [...tools.values()]);
    const answer = new AnswerChunks({
      prefix: `${this.#call.runId.slice(-6)}-${attempt}`,
      tools: [...tools.values()],
      takenIds: prepared.takenIds,
    });
    const writer = new ChunkWriter({
      sequence,
      gatherMs: GATHER_MS,
      onStop: () => this.#stop.now(),
      write: (next, chunks) => patiently(signal, log, () => this.#write(next, chunks)),
    });

    const failure = await this.#stream(prepared, agent.definition.aiConnectionId ?? undefined, answer, writer);
    if (this.#stop.isStopped) return this.#stopped(writer);
    if (failure) {
      // What came so far stays until another attempt replaces it: where none comes, it is the message.
      await this.#flush(writer);
      return failedWith(failure);
    }
    const { chunks, calls, goesOn, finishReason, usage: tokens } = answer.end();
    const usage = priced(tokens, config.MODEL_PRICES, agent.definition.selectedModelId);
    const rest = await writer.end();
    const recorded: RecordedStep = { step: this.#call.step, finishReason, usage, goesOn };
    const group = { ...this.#group(rest.sequence), chunks: [...rest.chunks, ...chunks] };
    const written = await patiently(signal, log, () => finishStep(database, workspaceId, group, recorded, calls));
    // It has ended, or another attempt has taken its place.
    if (!written) return { kind: 'stopped' };
    this.#services.feed.publish(changeOf(this.#call.runId, written));
    return outcomeOf(
      recorded,
      calls.map((made) => ({ ...made, step: this.#call.step })),
    );
  }

  #group(sequence: number) {
    return { runId: this.#call.runId, step: this.#call.step, attempt: this.#claimed.attempt, sequence };
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

  /** Undefined where the answer is complete, or the turn was stopped. */
  async #stream(
    prepared: Awaited<ReturnType<typeof modelRequest>>,
    aiConnectionId: string | undefined,
    answer: AnswerChunks,
    writer: ChunkWriter,
  ): Promise<Failure | undefined> {
    let secrets: readonly string[] = [];
    try {
      const { workspaceId } = this.#call;
      const provider = await chosenProvider(this.#services, { workspaceId, aiConnectionId });
      secrets = provider.secrets;
      const request = prepared.bodyFor(provider.client.baseURL);
      const stream = await provider.client.chat.completions.create(request, { signal: this.#stop.signal });
      for await (const chunk of stream) writer.push(answer.take(chunk as ProviderChunk));
    } catch (error) {
      if (this.#stop.signal.aborted) return undefined;
      if (error instanceof NoProvider) return { code: error.code, message: error.message, retryable: false };
      return providerFailure(error, secrets);
    }
    if (this.#stop.signal.aborted || answer.isFinished) return undefined;
    return { code: 'PROVIDER_BROKE_OFF', message: 'The provider ended its answer in the middle.', retryable: true };
  }

  async #flush(writer: ChunkWriter): Promise<void> {
    const { sequence, chunks } = await writer.end();
    if (chunks.length > 0) await this.#write(sequence, chunks);
  }

  /** What has come so far is kept. */
  async #stopped(writer: ChunkWriter): Promise<ModelOutcome> {
    await this.#flush(writer);
    if (this.#stop.byPerson) return { kind: 'stopped' };
    throw new CancelledFailure('The model call was stopped');
  }
}

function failedWith({ code, retryable, retryAfterMs }: Failure): ModelOutcome {
  return { kind: 'failed', code, retry: retryable, ...(retryAfterMs === undefined ? {} : { delayMs: retryAfterMs }) };
}
