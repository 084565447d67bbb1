import { Alert, Anchor, Button, Checkbox, Group, Modal, NativeSelect, Radio, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { isProblem } from 'perdure-client';
import { Suspense, useState } from 'react';
import type { Input } from '../../ui/form/JsonInput.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import { done } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { apart, useCatalogueNames } from '../catalogue/catalogueNames.ts';
import { retryExecution } from './mutations.ts';
import { type ExecutionStep, type ExecutionWhole, execution as executionOf } from './queries/executions.ts';
import { hasFailedItems } from './queries/steps.ts';
import { EXECUTION } from './words.ts';

const words = EXECUTION;
const RetryInput = lazyPart(() => import('./RetryInput.tsx'), 'RetryInput');
const RetryForecast = lazyPart(() => import('./RetryForecast.tsx'), 'RetryForecast');

interface RetryDialogProps {
  execution: ExecutionWhole;
  steps: ExecutionStep[];
  onClose: () => void;
}

export function RetryDialog({ execution, steps, onClose }: RetryDialogProps) {
  const navigate = useNavigate();
  const { nodeName } = useCatalogueNames();
  const [fromStep, setFromStep] = useState('');
  const [version, setVersion] = useState<'original' | 'latest'>('original');
  const [loopsAgain, setLoopsAgain] = useState(false);
  const [changesInput, setChangesInput] = useState(false);
  const isCompleted = execution.status === 'COMPLETED';
  const haveFailed = steps.some(hasFailedItems);
  // In a completed execution only the failed items can be the reason for a retry.
  const [failedItems, setFailedItems] = useState(isCompleted && haveFailed);
  // If the path omits steps, unlisted nodes may have been reached; the forecast shows whether a retry can begin there.
  const nodes = execution.stepsLeftOut === undefined ? [] : (execution.nodes ?? []);
  const reached = new Map([
    ...steps.map(({ nodeId, label }): [string, string] => [nodeId, label]),
    ...apart(nodes, nodeName),
  ]);
  // A changed input runs the whole execution again, unless it begins at a step.
  const asksForItems = failedItems && (!changesInput || fromStep !== '');
  const retry = useMutation({
    mutationFn: ({ input, again }: { input: Input | undefined; again?: boolean }) =>
      retryExecution(execution.id, {
        version,
        ...(fromStep === '' ? {} : { fromStep }),
        ...(loopsAgain ? { loops: 'again' as const } : {}),
        ...(asksForItems ? { failedItems: 'again' as const } : {}),
        ...(input === undefined ? {} : { input }),
        ...(again ? { again } : {}),
      }),
    onSuccess: async ({ executionId }) => {
      done(words.newExecution);
      onClose();
      await navigate({ to: `/executions/${executionId}` });
    },
  });
  const ofCompleted = asksForItems ? words.retryAtFailedItems : words.retryWhole;
  const begin = changesInput ? words.retryWhole : isCompleted ? ofCompleted : words.retryAtFailure;
  const leave = (
    <Button variant="default" onClick={onClose}>
      {WORDS.executions.dismiss}
    </Button>
  );
  return (
    <Modal opened onClose={onClose} title={words.retryTitle} size="lg">
      <Stack>
        <NativeSelect
          label={words.retryFrom}
          value={fromStep}
          onChange={(event) => setFromStep(event.currentTarget.value)}
          data={[
            { value: '', label: begin },
            ...[...reached].map(([nodeId, label]) => ({ value: nodeId, label: words.retryFromStep(label) })),
          ]}
        />
        <Radio.Group
          label={words.retryVersion}
          value={version}
          onChange={(value) => setVersion(value === 'latest' ? 'latest' : 'original')}
        >
          <Stack gap={6} mt={4}>
            <Radio value="original" label={words.original} />
            <Radio value="latest" label={words.latest} disabled={execution.workflowVersion == null} />
          </Stack>
        </Radio.Group>
        <Checkbox
          label={words.loopsAgain}
          checked={loopsAgain}
          onChange={(event) => setLoopsAgain(event.currentTarget.checked)}
        />
        {(haveFailed || mayHaveFailed(execution, steps)) && (
          <Checkbox
            label={words.failedItems}
            checked={asksForItems}
            disabled={changesInput && fromStep === ''}
            onChange={(event) => setFailedItems(event.currentTarget.checked)}
          />
        )}
        <Checkbox
          label={words.changesInput}
          checked={changesInput}
          onChange={(event) => {
            setChangesInput(event.currentTarget.checked);
            retry.reset();
          }}
        />
        <Suspense fallback={<Loading height={120} />}>
          <RetryForecast
            execution={execution}
            form={{ fromStep, version, loopsAgain, failedItems: asksForItems, changesInput }}
          />
        </Suspense>
        {changesInput && fromStep !== '' && <Text size="sm">{words.inputCompared}</Text>}
        <Alert color="yellow" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
          {words.retryWarning}
        </Alert>
        {retry.error !== null && !changesInput && <ProblemAlert error={retry.error} />}
        {isProblem(retry.error) && retry.error.code === 'ALREADY_RETRIED' && (
          <AlreadyRetried
            retryId={retry.error.body.retryId}
            isBusy={retry.isPending}
            onClose={onClose}
            onAgain={() => retry.mutate({ input: retry.variables?.input, again: true })}
          />
        )}
        {changesInput ? (
          <Suspense fallback={<Loading height={120} />}>
            <RetryInput
              execution={execution}
              version={version}
              isBusy={retry.isPending}
              error={retry.error}
              beside={leave}
              onSubmit={(input) => retry.mutate({ input })}
            />
          </Suspense>
        ) : (
          <Group justify="flex-end">
            {leave}
            <Button loading={retry.isPending} onClick={() => retry.mutate({ input: undefined })}>
              {words.retry}
            </Button>
          </Group>
        )}
      </Stack>
    </Modal>
  );
}

/** Whether inner loops may have failed items that are not listed: the path omits steps, or this retry reused them. */
function mayHaveFailed({ nodes = [], stepsLeftOut }: ExecutionWhole, steps: readonly ExecutionStep[]): boolean {
  const isElsewhere =
    stepsLeftOut !== undefined || steps.some(({ reused, iterations }) => reused && iterations !== undefined);
  return isElsewhere && nodes.some(({ type, parentId }) => type === 'forEach' && parentId !== undefined);
}

function AlreadyRetried(props: {
  retryId: string | undefined;
  isBusy: boolean;
  onClose: () => void;
  onAgain: () => void;
}) {
  const { retryId = '', isBusy, onClose, onAgain } = props;
  const { data } = useQuery({ ...executionOf(retryId), enabled: retryId !== '' });
  return (
    <Group>
      <Anchor component={Link} to={`/executions/${retryId}`} underline="always" onClick={onClose}>
        {data?.executionNumber == null ? words.retryOfLive : words.retriedAs(data.executionNumber)}
      </Anchor>
      {data?.status === 'COMPLETED' && (
        <Button variant="default" loading={isBusy} onClick={onAgain}>
          {words.retryOnceMore}
        </Button>
      )}
    </Group>
  );
}
