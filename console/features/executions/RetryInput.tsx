import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { MASK } from '../../../domain/execution/maskSecrets.ts';
import { isJsonObject } from '../../../domain/json.ts';
import { useMay } from '../../app/api/me.ts';
import { FieldForm } from '../../ui/form/FieldForm.tsx';
import { problemsByField } from '../../ui/form/fieldValues.ts';
import { type Input, JsonInput } from '../../ui/form/JsonInput.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { triggerFields } from '../workflows/queries/workflows.ts';
import type { ExecutionWhole } from './queries/executions.ts';
import { startedWith } from './queries/retry.ts';
import { EXECUTION, RETRY_INPUT } from './words.ts';

const words = RETRY_INPUT;

interface RetryInputProps {
  execution: ExecutionWhole;
  /** The version whose fields check the input. */
  version: 'original' | 'latest';
  isBusy: boolean;
  error: unknown;
  beside: ReactNode;
  onSubmit: (input: Input) => void;
}

/** Edits the original input of the execution: with the fields of its trigger, or as JSON if it has none. */
export function RetryInput(props: RetryInputProps) {
  const { execution, version, error } = props;
  const may = useMay();
  const input = useQuery(startedWith(execution));
  // Ad-hoc runs and tests of drafts have no version.
  const workflowId = execution.workflowVersion == null ? undefined : execution.workflow?.id;
  const fields = useQuery({
    ...triggerFields(workflowId ?? '', version === 'latest' ? version : (execution.workflowVersion ?? 0)),
    enabled: workflowId !== undefined && may('workflows:read'),
  });
  if (input.error !== null) return <ProblemAlert error={input.error} onRetry={() => void input.refetch()} />;
  if (input.isPending || fields.isLoading) return <Loading height={120} />;
  const form = fields.data ?? [];
  const byField = problemsByField(error, 'input');
  const isOfField = form.some(({ key }) => byField[key] !== undefined);
  return (
    <>
      {error !== null && !isOfField && <ProblemAlert error={error} />}
      <Form key={version} {...props} fields={form} problems={byField} initial={input.data} />
    </>
  );
}

interface FormProps extends RetryInputProps {
  fields: Parameters<typeof FieldForm>[0]['fields'];
  problems: Record<string, string>;
  initial: unknown;
}

function Form({ fields, problems, initial, isBusy, beside, onSubmit }: FormProps) {
  const [isMasked, setMasked] = useState(false);
  const known = isJsonObject(initial) ? initial : {};
  const hasMask = JSON.stringify(known).includes(MASK);
  const submit = (input: Input) => {
    const isLeft = hasMask && JSON.stringify(input).includes(MASK);
    setMasked(isLeft);
    if (!isLeft) onSubmit(input);
  };
  const given = { isBusy, beside, submitLabel: EXECUTION.retry };
  return (
    <>
      <Title order={3} size="h5">
        {EXECUTION.panes.input}
      </Title>
      {!isJsonObject(initial) && <Text size="sm">{words.notAnObject}</Text>}
      {hasMask && <Text size="sm">{words.masked}</Text>}
      {isMasked && (
        <Text role="alert" c="var(--ink-bad)" size="sm">
          {words.leaveMasked}
        </Text>
      )}
      {fields.length > 0 ? (
        <FieldForm
          {...given}
          fields={fields}
          initial={known}
          problems={problems}
          onSubmit={(values) => submit({ ...beyond(known, fields), ...values })}
        />
      ) : (
        <JsonInput {...given} initial={known} onSubmit={submit} />
      )}
    </>
  );
}

/** Returns the values that are not fields of the form: a changed input keeps them, as the API does. */
function beyond(input: Input, fields: FormProps['fields']): Input {
  const ofForm = new Set(fields.map(({ key }) => key));
  return Object.fromEntries(Object.entries(input).filter(([key]) => !ofForm.has(key)));
}
