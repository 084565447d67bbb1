import { useQueryClient } from '@tanstack/react-query';
import { isProblem, newIdempotencyKey } from 'perdure-client';
import { useState } from 'react';
import { isJsonObject, type Json, type JsonObject } from '../../../../domain/json.ts';
import { TRIGGER_ID, type TriggerNode } from '../../../../domain/workflow/definition.ts';
import type { Baseline } from '../draft/mutations.ts';
import { loadMutations } from '../draft/useSave.ts';
import { SAVING } from '../draft/useStoring.ts';
import type { NodeSamples } from '../editing/useNodeSamples.ts';
import type { Draft } from '../model/draft.ts';

interface Running {
  draft: Draft;
  baseline: Baseline;
  isDirty: boolean;
  /** The execution to show at first. */
  shown: string | undefined;
  /** The input of the chosen execution or sample; undefined without one. */
  input: Json | undefined;
  samples: NodeSamples;
  store: (act: 'run') => Promise<Baseline | undefined>;
  /** Returns whether the draft has errors, which it then shows. */
  refuse: () => boolean;
}

/** Runs the draft with the sample of the trigger as its input, and asks for an input without one. */
export function useRun({ draft, baseline, isDirty, shown, input, samples, store, refuse }: Running) {
  const queries = useQueryClient();
  const [executionId, setExecution] = useState(shown);
  const [isAsking, setAsking] = useState(false);
  const [isStarting, setStarting] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const { trigger } = draft.definition;
  const start = async (given: JsonObject) => {
    if (isStarting) return;
    setStarting(true);
    try {
      const stored = isDirty || baseline.id === undefined ? await store('run') : baseline;
      if (stored?.id === undefined) return setAsking(false);
      const { runDraft } = await loadMutations();
      const known = { ...stored, id: stored.id };
      const started = await runDraft({ baseline: known, draft, input: given, idempotencyKey: newIdempotencyKey() });
      setExecution(started);
      setAsking(false);
      setError(null);
      void queries.invalidateQueries({ queryKey: ['listExecutions'] });
    } catch (failure) {
      setError(failure as Error);
      const isOfInput = isProblem(failure) && failure.errors.some(({ path }) => path?.startsWith('inputData'));
      if (isOfInput) setAsking(true);
      else SAVING.failed(failure);
    } finally {
      setStarting(false);
    }
  };
  return {
    executionId,
    isAsking,
    isStarting,
    error,
    run: () => {
      if (refuse()) return;
      setError(null);
      const given = needsNone(trigger) ? {} : hasSecrets(trigger) ? undefined : (samples.values[TRIGGER_ID] ?? input);
      if (isJsonObject(given)) void start(given);
      else setAsking(true);
    },
    runWith: (given: JsonObject) => {
      // A sample that is too large for this browser still runs.
      samples.keep(TRIGGER_ID, given);
      void start(given);
    },
    cancel: () => setAsking(false),
    close: () => setExecution(undefined),
  };
}

const needsNone = (trigger: TriggerNode) =>
  trigger.type === 'schedule' || (trigger.type === 'manual' && (trigger.config.fields ?? []).length === 0);

/** A sample has masks instead of secrets. */
const hasSecrets = (trigger: TriggerNode) =>
  trigger.type === 'manual' && (trigger.config.fields ?? []).some(({ type }) => type === 'secret');
