import { Button, Code, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Json } from '../../../domain/json.ts';
import type { Node } from '../../../domain/workflow/definition.ts';
import { useMay } from '../../app/api/me.ts';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { durationText } from '../../ui/time/times.ts';
import { Value } from '../values/Value.tsx';
import { testNode } from './draft/mutations.ts';
import { useEditing, useFormPlace } from './editing/Editing.tsx';
import { useEvaluated } from './expression/ExpressionField.tsx';
import { writtenDefinition } from './model/draft.ts';
import { nodeOf } from './model/graphChanges.ts';
import { scopeOf } from './model/scopeOf.ts';
import { UseAsSample } from './samples/UseAsSample.tsx';
import { EDITOR } from './words.ts';

const words = EDITOR.test;
const ALONE = ['input', 'delay', 'forEach', 'repeat', 'runWorkflow'];

/** Runs the form's node once with the values of the selected execution; samples replace them. */
export function NodeTest({ node }: { node: Node }) {
  const { draft, sample } = useEditing();
  const { scope: scopeName } = useFormPlace();
  const may = useMay();
  const run = useMutation({
    mutationFn: () => {
      const scope = sample && scopeOf(sample, draft.definition, node.id);
      // The server rejects outputs of nodes that the definition does not have.
      const steps = Object.entries(scope?.steps ?? {}).flatMap(([id, { output }]) =>
        nodeOf(draft.definition, id) === undefined ? [] : [[id, output ?? null] as const],
      );
      return testNode({
        definition: writtenDefinition(draft.definition) as never,
        nodeId: node.id,
        ...(draft.projectId === '' ? {} : { projectId: draft.projectId }),
        trigger: (scope?.trigger ?? {}) as never,
        steps: Object.fromEntries(steps),
        ...(scope?.loop === undefined ? {} : { loop: scope.loop }),
        ...(scope?.loops === undefined ? {} : { loops: scope.loops }),
      });
    },
  });
  if (!may('executions:run')) return null;
  const isAlone = !ALONE.includes(node.type);
  const { data } = run;
  return (
    <details className="editor-more" data-test>
      <summary>{words.title}</summary>
      <Stack gap="xs">
        <Text size="sm">{isAlone ? words.means : words.cannot}</Text>
        {scopeName !== undefined && <Resolved label={words.resolved} value={node.inputs ?? {}} scope={scopeName} />}
        {isAlone && (
          <Button
            size="xs"
            variant="default"
            loading={run.isPending}
            onClick={() => run.mutate()}
            style={{ alignSelf: 'start' }}
          >
            {words.run}
          </Button>
        )}
        {run.error !== null && <ProblemAlert error={run.error} />}
        {data !== undefined && (
          <div role="status">
            <Text size="sm" fw={600} c={data.status === 'COMPLETED' ? 'var(--ink-good)' : 'var(--ink-bad)'}>
              {data.status === 'COMPLETED'
                ? words.completed(durationText(data.durationMs))
                : words.failed(durationText(data.durationMs))}
            </Text>
            {data.error !== undefined && (
              <Text size="sm">
                <Code>{data.error.code}</Code> {data.error.message}
              </Text>
            )}
            {data.handle !== undefined && <Text size="sm">{words.leaves(data.handle)}</Text>}
            {data.status === 'COMPLETED' && (
              <>
                <Text size="sm" fw={600}>
                  {words.output}
                </Text>
                <Value value={data.output} />
              </>
            )}
            {data.console !== undefined && data.console.length > 0 && (
              <>
                <Text size="sm" fw={600}>
                  {words.console}
                </Text>
                <Value value={data.console.map(({ level, text }) => `${level}: ${text}`).join('\n')} />
              </>
            )}
          </div>
        )}
        {data?.status === 'COMPLETED' && <UseAsSample nodeId={node.id} output={data.output as Json} />}
      </Stack>
    </details>
  );
}

function Resolved({ label, value, scope }: { label: string; value: Json; scope: string }) {
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
