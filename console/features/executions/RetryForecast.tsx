import './retryForecast.css';
import { Alert, Group, List, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loading } from '../../ui/Loading.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { Status } from '../../ui/Status.tsx';
import type { ExecutionStep, ExecutionWhole } from './queries/executions.ts';
import { foreseenRetry, type RetryForm } from './queries/retry.ts';
import { EXECUTION } from './words.ts';

const words = EXECUTION.forecast;

/** Its code loads when a dialog opens. */
export function RetryForecast({ execution, form }: { execution: ExecutionWhole; form: RetryForm }) {
  const { data, error, refetch } = useQuery(foreseenRetry(execution, form));
  if (error !== null) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading height={120} />;
  if ('refused' in data) {
    return (
      <Alert role="alert" color="yellow" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
        {data.refused}
      </Alert>
    );
  }
  if ('unknown' in data) return <Text size="sm">{words.unknown}</Text>;
  const { preview, steps, items, nameOf } = data;
  const { kept, goesOn, again, added, unsure } = preview;
  return (
    <div className="forecast">
      <Part title={words.kept} none={words.nothingKept}>
        {kept.map((id) => (
          <List.Item key={id}>{nameOf(id)}</List.Item>
        ))}
        {goesOn.map((id) => (
          <List.Item key={id}>{words.finishedItems(nameOf(id), items.get(id)?.kept)}</List.Item>
        ))}
      </Part>
      <Part title={words.again} none={words.nothingAgain}>
        {again.map((id) => (
          <Step key={id} name={nameOf(id)} step={steps.get(id)} />
        ))}
        {goesOn.map((id) => (
          <List.Item key={id}>{words.otherItems(nameOf(id), items.get(id)?.again)}</List.Item>
        ))}
      </Part>
      {unsure.length > 0 && (
        <Part title={words.unsure} none="">
          {unsure.map((id) => (
            <Step key={id} name={nameOf(id)} step={steps.get(id)} />
          ))}
        </Part>
      )}
      {form.version === 'latest' && (
        <Part title={words.added} none={words.nothingAdded}>
          {added.map((id) => (
            <List.Item key={id}>{nameOf(id)}</List.Item>
          ))}
        </Part>
      )}
    </div>
  );
}

function Part({ title, none, children }: { title: string; none: string; children: ReactNode[] }) {
  const isEmpty = children.flat().length === 0;
  return (
    <Stack gap={4} component="section" aria-label={title}>
      <Title order={3} size="h5">
        {title}
      </Title>
      {isEmpty ? <Text size="sm">{none}</Text> : <List size="sm">{children}</List>}
    </Stack>
  );
}

function Step({ name, step }: { name: string; step: ExecutionStep | undefined }) {
  return (
    <List.Item>
      <Group gap={6} component="span" display="inline-flex">
        {name} {step !== undefined && <Status status={step.status} />}
      </Group>
    </List.Item>
  );
}
