import { ActionIcon, Anchor, Button, Code, Group, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo } from 'react';
import { isTerminal } from '../../../../domain/execution/status.ts';
import type { Json } from '../../../../domain/json.ts';
import { TRIGGER_ID } from '../../../../domain/workflow/definition.ts';
import { JsonView } from '../../../ui/data/JsonView.tsx';
import { Loading } from '../../../ui/Loading.tsx';
import { ProblemAlert } from '../../../ui/problem/ProblemAlert.tsx';
import { type AnyStatus, Status } from '../../../ui/Status.tsx';
import { Duration } from '../../../ui/time/Moment.tsx';
import { type ExecutionStep, readInput, readOutput } from '../../executions/queries/executions.ts';
import { iterationText, loadStepValue, useExecution } from '../../executions/queries/steps.ts';
import { EXECUTION } from '../../executions/words.ts';
import { Value } from '../../values/Value.tsx';
import { useEditing } from '../editing/Editing.tsx';
import { nodeOf } from '../model/graphChanges.ts';
import { labelOf } from '../model/inputSpecs.ts';
import { UseAsSample } from '../samples/UseAsSample.tsx';
import { RUN } from './words.ts';

const words = RUN;

export type StepStates = ReadonlyMap<string, AnyStatus>;

interface RunPaneProps {
  executionId: string;
  /** The selected node; undefined for none or several. */
  node: string | undefined;
  onStates: (states: StepStates) => void;
  /** Called once when the execution has ended. */
  onEnd: (executionId: string) => void;
  onShow: (node: string) => void;
  onClose: () => void;
}

/** Follows a run of the draft, and shows the input and output of the selected node. */
export function RunPane({ executionId, node, onStates, onEnd, onShow, onClose }: RunPaneProps) {
  const { draft } = useEditing();
  const { data: execution, error } = useExecution(executionId);
  const newest = useMemo(
    () => new Map((execution?.executionPath ?? []).map((step) => [step.nodeId, step])),
    [execution?.executionPath],
  );
  const states = useMemo(() => new Map([...newest].map(([id, { status }]) => [id, status])), [newest]);
  useEffect(() => onStates(states), [states, onStates]);
  const hasEnded = execution?.status !== undefined && isTerminal(execution.status);
  useEffect(() => {
    if (hasEnded) onEnd(executionId);
  }, [hasEnded, executionId, onEnd]);
  const failed = [...newest.values()].find(({ status }) => status === 'FAILED')?.nodeId;
  const nameOf = (id: string) => labelOf(nodeOf(draft.definition, id) ?? { id });
  const step = node === undefined ? undefined : newest.get(node);
  return (
    <section className="editor-run" aria-label={words.pane}>
      <Group gap="sm">
        <div role="status">
          {execution?.status === undefined ? words.starting : <Status status={execution.status} />}
        </div>
        {execution?.startedAt != null && (
          <Text size="sm">
            <Duration from={execution.startedAt} to={execution.stoppedAt ?? null} />
          </Text>
        )}
        {failed !== undefined && failed !== node && (
          <Button size="compact-sm" variant="light" color="red" onClick={() => onShow(failed)}>
            {words.failedAt(nameOf(failed))}
          </Button>
        )}
        {execution?.statusMessage != null && step === undefined && (
          <Text size="sm" flex={1} miw={0} truncate>
            {execution.statusMessage}
          </Text>
        )}
        <Anchor component={Link} to={`/executions/${executionId}`} size="sm" underline="always" ml="auto">
          {words.open}
        </Anchor>
        <ActionIcon variant="subtle" color="gray" aria-label={words.close} onClick={onClose}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </Group>
      {error !== null && <ProblemAlert error={error} isRead />}
      {execution !== undefined && (
        <div className="editor-run-values">
          {node === undefined || node === TRIGGER_ID ? (
            <>
              <Part label={words.input}>
                <Data
                  name={words.inputOf(words.whole)}
                  value={(execution.input as { trigger?: unknown } | undefined)?.trigger ?? execution.input}
                  bytes={execution.inputBytes}
                  load={execution.inputLink === undefined ? undefined : () => readInput(executionId)}
                />
              </Part>
              <Part label={words.output}>
                {hasEnded ? (
                  <Data
                    name={words.outputOf(words.whole)}
                    value={execution.output}
                    bytes={execution.outputBytes}
                    load={execution.outputLink === undefined ? undefined : () => readOutput(executionId)}
                  />
                ) : (
                  <Text size="sm">{words.notYet}</Text>
                )}
              </Part>
            </>
          ) : (
            <StepParts key={node} executionId={executionId} step={step} name={nameOf(node)} hasEnded={hasEnded} />
          )}
        </div>
      )}
    </section>
  );
}

interface StepPartsProps {
  executionId: string;
  step: ExecutionStep | undefined;
  name: string;
  hasEnded: boolean;
}

function StepParts({ executionId, step, name, hasEnded }: StepPartsProps) {
  if (step === undefined) return <Text size="sm">{hasEnded ? words.notRun : words.notYet}</Text>;
  const { nodeId, error, iteration } = step;
  const load = (part: 'input' | 'output') => () => loadStepValue(executionId, step.id, part);
  const place = iteration.map(({ index, total }) => EXECUTION.iteration(index, total)).join(' · ');
  return (
    <>
      <Part label={words.input} note={place}>
        <Data
          key={iterationText(iteration)}
          name={words.inputOf(name)}
          value={step.input}
          bytes={step.inputBytes}
          load={step.inputLink === undefined ? undefined : load('input')}
        />
      </Part>
      <Part label={words.output}>
        {error !== undefined ? (
          <>
            <Text size="sm" c="var(--ink-bad)">
              <Code>{error.code}</Code> {error.message}
            </Text>
            {error.details !== undefined && <JsonView label={words.outputOf(name)} value={error.details} />}
          </>
        ) : step.status === 'COMPLETED' ? (
          <>
            <Data
              name={words.outputOf(name)}
              value={step.output}
              bytes={step.outputBytes}
              load={step.outputLink === undefined ? undefined : load('output')}
            />
            {step.outputLink === undefined && <UseAsSample nodeId={nodeId} output={(step.output ?? null) as Json} />}
          </>
        ) : (
          <Status status={step.status} />
        )}
      </Part>
    </>
  );
}

function Part({ label, note, children }: { label: string; note?: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="editor-run-part" aria-label={label} tabIndex={0}>
      <Text size="sm" fw={600}>
        {label} {note !== undefined && note !== '' && <span className="data-size">{note}</span>}
      </Text>
      {children}
    </section>
  );
}

interface DataProps {
  name: string;
  value: unknown;
  /** Only for a large value: its size, and how to read it. */
  bytes: number | null | undefined;
  load: (() => Promise<unknown>) | undefined;
}

/** Larger values, in bytes, are offered as a file. */
const MAX_BYTES = 1_000_000;

function Data({ name, value, bytes, load }: DataProps) {
  const isRead = load !== undefined && (bytes ?? 0) <= MAX_BYTES;
  const whole = useQuery({
    queryKey: ['run value', name, bytes],
    queryFn: async () => (await load?.()) ?? null,
    enabled: isRead,
    gcTime: 0,
  });
  if (load === undefined) return <JsonView label={name} value={value} />;
  if (!isRead) return <Value value={value} bytes={bytes} load={load} />;
  if (whole.error !== null) return <ProblemAlert error={whole.error} isRead />;
  return whole.data === undefined ? <Loading height={60} /> : <JsonView label={name} value={whole.data} />;
}
