import { NativeSelect, Stack } from '@mantine/core';
import type { Node, OnError, RetryPolicy } from '../../../../domain/workflow/definition.ts';
import { useEditing, useProblem } from '../editing/Editing.tsx';
import { EDITOR } from '../words.ts';
import { NumberField } from './NumberField.tsx';

const words = EDITOR.node;

export function FailureFields({ node }: { node: Node }) {
  const { isReadOnly, changeNode } = useEditing();
  const error = useProblem('onError');
  const { id, retry, timeoutMs, onReconnectTimeoutMs } = node;
  const set = (member: 'timeoutMs' | 'onReconnectTimeoutMs') => (value: number | undefined) =>
    changeNode(id, (now) => withOptional(now, member, value), `${member} ${id}`);
  const setRetry = (member: keyof RetryPolicy) => (value: number | undefined) =>
    changeNode(
      id,
      (now) => {
        const { [member]: _, ...rest } = { ...now.retry };
        const next = value === undefined ? rest : { ...rest, [member]: value };
        return withOptional(now, 'retry', Object.keys(next).length === 0 ? undefined : (next as RetryPolicy));
      },
      `retry ${member} ${id}`,
    );
  const isSet = (node.onError ?? 'fail') !== 'fail' || retry !== undefined || timeoutMs !== undefined;
  return (
    <details className="editor-more" open={isSet}>
      <summary>{words.failure}</summary>
      <Stack gap="xs">
        <NativeSelect
          label={words.onError}
          data-field="onError"
          error={error}
          disabled={isReadOnly}
          data={(Object.keys(words.onErrors) as OnError[]).map((value) => ({ value, label: words.onErrors[value] }))}
          value={node.onError ?? 'fail'}
          onChange={({ currentTarget: { value } }) =>
            changeNode(id, (now) => withOptional(now, 'onError', value === 'fail' ? undefined : (value as OnError)))
          }
        />
        {node.type === 'action' && (
          <>
            <NumberField
              label={words.attempts}
              help={words.attemptsHelp}
              field="retry.maximumAttempts"
              value={retry?.maximumAttempts}
              onChange={setRetry('maximumAttempts')}
            />
            {retry !== undefined && (
              <>
                <NumberField
                  isDuration
                  label={words.firstInterval}
                  field="retry.initialIntervalMs"
                  value={retry.initialIntervalMs}
                  onChange={setRetry('initialIntervalMs')}
                />
                <NumberField
                  label={words.coefficient}
                  field="retry.backoffCoefficient"
                  value={retry.backoffCoefficient}
                  onChange={setRetry('backoffCoefficient')}
                />
                <NumberField
                  isDuration
                  label={words.longestInterval}
                  field="retry.maximumIntervalMs"
                  value={retry.maximumIntervalMs}
                  onChange={setRetry('maximumIntervalMs')}
                />
              </>
            )}
            <NumberField
              isDuration
              label={words.timeout}
              field="timeoutMs"
              value={timeoutMs}
              onChange={set('timeoutMs')}
            />
            <NumberField
              isDuration
              label={words.reconnect}
              field="onReconnectTimeoutMs"
              value={onReconnectTimeoutMs}
              onChange={set('onReconnectTimeoutMs')}
            />
          </>
        )}
      </Stack>
    </details>
  );
}

function withOptional<K extends keyof Node>(node: Node, member: K, value: Node[K] | undefined): Node {
  const { [member]: _, ...rest } = node;
  return (value === undefined ? rest : { ...node, [member]: value }) as Node;
}
