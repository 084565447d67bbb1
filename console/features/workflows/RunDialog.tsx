import { Anchor, Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { isProblem, newIdempotencyKey } from 'perdure-client';
import { Suspense, useState } from 'react';
import { isJsonObject } from '../../../domain/json.ts';
import { useMay } from '../../app/api/me.ts';
import { FieldForm } from '../../ui/form/FieldForm.tsx';
import { problemsByField } from '../../ui/form/fieldValues.ts';
import { type Input, JsonInput } from '../../ui/form/JsonInput.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import { done } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { useAbsoluteTime } from '../../ui/time/useAbsoluteTime.ts';
import { startExecution } from './mutations.ts';
import { lastInputs, refreshAfterStart, type WorkflowWhole } from './queries/workflows.ts';
import { useTriggerSample } from './useTriggerSample.ts';
import { WORKFLOWS } from './words.ts';

const words = WORKFLOWS;
const WebhookSample = lazyPart(() => import('./WebhookSample.tsx'), 'WebhookSample');

export function RunDialog({ workflow, onClose }: { workflow: WorkflowWhole; onClose: () => Promise<void> }) {
  const trigger = workflow.triggerNode;
  const type = trigger?.type ?? workflow.triggerAndActionIds?.triggerId ?? 'manual';
  const isSendable = trigger?.type === 'webhook' && workflow.isActive !== false;
  const isStartable = type === 'manual' || type === 'schedule';
  return (
    <Modal opened onClose={() => void onClose()} title={words.runTitle(workflow.name)} size="lg">
      <Stack>
        {!isStartable && (
          <>
            <Text>
              {isSendable
                ? words.runByRequest
                : words.runBy(words.triggers[type as keyof typeof words.triggers] ?? words.triggers.poll)}
            </Text>
            {isSendable && (
              <Suspense fallback={<Loading height={200} />}>
                <WebhookSample workflowId={workflow.id} needs={trigger.config} name={words.runTitle(workflow.name)} />
              </Suspense>
            )}
            <Anchor
              renderRoot={(props) => (
                <Link
                  to={`/workflows/${workflow.id}`}
                  search={{ tab: 'triggers' }}
                  onClick={() => void onClose()}
                  {...props}
                />
              )}
              underline="always"
            >
              {words.tabs.triggers}
            </Anchor>
          </>
        )}
        {(isStartable || trigger?.type === 'webhook') && workflow.isActive === false && (
          <Text>{words.runInactive}</Text>
        )}
        {isStartable && workflow.isActive !== false && <Start workflow={workflow} onClose={onClose} />}
      </Stack>
    </Modal>
  );
}

/** The choice of the trigger's sample among the inputs. */
const SAMPLE = 'sample';

function Start({ workflow, onClose }: { workflow: WorkflowWhole; onClose: () => Promise<void> }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const may = useMay();
  // One key per dialog, so that a repeated request starts one execution.
  const [idempotencyKey, setKey] = useState(() => newIdempotencyKey());
  const earlier = useQuery({ ...lastInputs(workflow.id), enabled: may('executions:read') });
  const sample = useTriggerSample(workflow.id);
  const [taken, setTaken] = useState<string>(sample === undefined ? '' : SAMPLE);
  const start = useMutation({
    mutationFn: (inputData: Input) => startExecution(workflow.id, inputData, idempotencyKey),
    // A refused start gets a new key for other values. A start without an answer may have happened.
    onError: (error) => isProblem(error) && error.status > 0 && setKey(newIdempotencyKey()),
    onSuccess: async ({ executionId }) => {
      done(workflow.paused === true ? words.startedHeld : words.started);
      refreshAfterStart(queries, workflow.id);
      // Before navigating, so that Back does not reopen the dialog.
      await onClose();
      await navigate({ to: `/executions/${executionId}` });
    },
  });
  const rows = earlier.data ?? [];
  const trigger = rows.find(({ id }) => id === taken)?.input?.trigger;
  const initial = taken === SAMPLE ? sample : isJsonObject(trigger) ? trigger : undefined;
  const { triggerNode } = workflow;
  const fields = triggerNode?.type === 'manual' ? (triggerNode.config.fields ?? []) : [];
  const problem = isProblem(start.error) ? start.error : undefined;
  const absoluteTime = useAbsoluteTime();
  const byField = problemsByField(problem, 'inputData');
  const isOfField = fields.some(({ key }) => byField[key] !== undefined);
  return (
    <>
      {workflow.paused === true && <Text>{words.runPaused}</Text>}
      {(rows.length > 0 || sample !== undefined) && (
        <NativeSelect
          label={words.lastInputs}
          value={taken}
          onChange={(event) => setTaken(event.currentTarget.value)}
          data={[
            { value: '', label: words.lastInputsNone },
            ...(sample === undefined ? [] : [{ value: SAMPLE, label: words.triggerSample }]),
            ...rows.map(({ id, executionNumber, startedAt }) => ({
              value: id,
              label: words.lastInput(executionNumber ?? 0, absoluteTime(startedAt)),
            })),
          ]}
        />
      )}
      {start.error !== null && !isOfField && <ProblemAlert error={start.error} />}
      {fields.length > 0 ? (
        <FieldForm
          key={taken}
          fields={fields}
          initial={initial}
          submitLabel={words.run}
          isBusy={start.isPending}
          problems={byField}
          onSubmit={(values) => start.mutate(values)}
        />
      ) : (
        <JsonInput
          key={taken}
          about={words.runNoFields}
          initial={initial}
          submitLabel={words.run}
          isBusy={start.isPending}
          onSubmit={(values) => start.mutate(values)}
        />
      )}
    </>
  );
}
