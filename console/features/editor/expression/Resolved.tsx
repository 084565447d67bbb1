import { Text } from '@mantine/core';
import type { Json } from '../../../../domain/json.ts';
import { Value } from '../../values/Value.tsx';
import { useEvaluated } from './useEvaluated.ts';

export function Resolved({ label, value, scope }: { label: string; value: Json; scope: string }) {
  const evaluated = useEvaluated(value, scope);
  if (evaluated === undefined) return null;
  return (
    <div>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      {'value' in evaluated ? (
        <Value value={evaluated.value} />
      ) : (
        <Text size="sm" c="var(--ink-bad)">
          {evaluated.problem}
        </Text>
      )}
    </div>
  );
}
