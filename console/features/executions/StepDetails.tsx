import { Anchor, Code, Group, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../app/api/me.ts';
import { Status } from '../../ui/Status.tsx';
import { Duration, Moment } from '../../ui/time/Moment.tsx';
import { Value } from '../values/Value.tsx';
import { type ExecutionStep, executionNumber } from './queries/executions.ts';
import { loadStepValue } from './queries/steps.ts';
import { awaitedWorker, waitedFor } from './whyItWaits.ts';
import { EXECUTION } from './words.ts';

const { panes, ...words } = EXECUTION;

interface StepDetailsProps {
  executionId: string;
  workflow: { id: string } | null | undefined;
  step: ExecutionStep;
  /** The open tab; undefined: the error if there is one, else the output. */
  pane: string | undefined;
  onPane: (pane: string) => void;
}

export function StepDetails({ executionId, workflow, step, pane, onPane }: StepDetailsProps) {
  const may = useMay();
  const begun = waitedFor(step);
  const worker = awaitedWorker(step);
  const load = (part: 'input' | 'output') => () => loadStepValue(executionId, step.id, part);
  return (
    <Stack gap="xs">
      <div>
        <Group justify="space-between" gap="xs" wrap="nowrap" align="start">
          <Text fw={600} style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
            {step.label}
          </Text>
          {workflow != null && may('workflows:write') && (
            <Anchor
              renderRoot={(props) => (
                <Link
                  to={`/workflows/${workflow.id}/edit`}
                  search={{ node: step.nodeId, sample: executionId }}
                  {...props}
                />
              )}
              size="sm"
              underline="always"
              style={{ flexShrink: 0 }}
            >
              {words.editStep}
            </Anchor>
          )}
        </Group>
        <Text size="sm">
          <Code>{step.nodeId}</Code> <Status status={step.status} />{' '}
          {step.startedAt !== null && <Duration from={step.startedAt} to={step.stoppedAt} />}
          {step.iteration.map(({ index, total }) => ` · ${words.iteration(index, total)}`).join('')}
          {step.reused === true && (
            <>
              {' · '}
              {step.reusedFrom === undefined ? words.reused : <ReusedFrom executionId={step.reusedFrom.executionId} />}
            </>
          )}
          {begun !== undefined && (
            <>
              {' · '}
              <Anchor inherit underline="always" renderRoot={(props) => <Link to={begun.to} {...props} />}>
                {words[begun.kind]}
              </Anchor>
            </>
          )}
        </Text>
        {worker !== undefined && (
          <Text size="sm">
            {words.noWorker(worker)}{' '}
            <Anchor
              inherit
              underline="always"
              renderRoot={(props) => <Link to={`/apps/${encodeURIComponent(step.appId ?? '')}`} {...props} />}
            >
              {words.itsWorkers}
            </Anchor>
          </Text>
        )}
      </div>
      <Tabs
        value={pane ?? (step.error === undefined ? 'output' : 'error')}
        onChange={(value) => value !== null && onPane(value)}
        keepMounted={false}
      >
        <Tabs.List aria-label={words.step}>
          <Tabs.Tab value="input">{panes.input}</Tabs.Tab>
          <Tabs.Tab value="output">{panes.output}</Tabs.Tab>
          <Tabs.Tab value="error">{panes.error}</Tabs.Tab>
          <Tabs.Tab value="attempts">{panes.attempts}</Tabs.Tab>
          <Tabs.Tab value="console">{panes.console}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="input" pt="sm">
          <Value
            label={words.inputOf(step.label)}
            value={step.input}
            bytes={step.inputBytes}
            load={step.inputLink ? load('input') : undefined}
          />
        </Tabs.Panel>
        <Tabs.Panel value="output" pt="sm">
          <Value
            label={words.outputOf(step.label)}
            value={step.output}
            bytes={step.outputBytes}
            load={step.outputLink ? load('output') : undefined}
          />
        </Tabs.Panel>
        <Tabs.Panel value="error" pt="sm">
          <StepError step={step} />
        </Tabs.Panel>
        <Tabs.Panel value="attempts" pt="sm">
          <Stack gap={4}>
            {step.attempts.map(({ attempt, startedAt, stoppedAt, error }) => (
              <Text size="sm" key={attempt}>
                {words.attempt(attempt)}: <Moment at={startedAt} />, <Duration from={startedAt} to={stoppedAt} />
                {error !== undefined && (
                  <>
                    {' '}
                    <Code>{error.code}</Code> {error.message}
                  </>
                )}
              </Text>
            ))}
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="console" pt="sm">
          {step.console === undefined ? (
            <Text>{words.noConsole}</Text>
          ) : (
            <pre className="json">{step.console.map(({ level, text }) => `${level}: ${text}`).join('\n')}</pre>
          )}
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function StepError({ step: { error } }: { step: ExecutionStep }) {
  if (error === undefined) return <Text>{words.noError}</Text>;
  return (
    <Stack gap="xs">
      <Text>
        <Code>{error.code}</Code> {error.message}
      </Text>
      {error.cause !== undefined && (
        <Text size="sm">
          <Code>{error.cause.nodeId}</Code> <Code>{error.cause.code}</Code>
        </Text>
      )}
      {error.details !== undefined && <Value label={words.details} value={error.details} />}
    </Stack>
  );
}

function ReusedFrom({ executionId }: { executionId: string }) {
  const { data: number } = useQuery(executionNumber(executionId));
  return (
    <Anchor component={Link} to={`/executions/${executionId}`} inherit underline="always">
      {number == null ? words.reused : words.reusedFrom(number)}
    </Anchor>
  );
}
