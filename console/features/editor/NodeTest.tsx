import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Json } from '../../../domain/json.ts';
import type { Node } from '../../../domain/workflow/definition.ts';
import { useMay } from '../../app/api/me.ts';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { durationText } from '../../ui/time/times.ts';
import { Value } from '../values/Value.tsx';
import { testNode } from './draft/mutations.ts';
import { useEditing, useFormPlace } from './editing/Editing.tsx';
import type { Refusal } from './editing/keptSamples.ts';
import { useEvaluated } from './expression/ExpressionField.tsx';
import { scopeOf } from './model/scopeOf.ts';
import { refusalText, SAMPLES } from './samples/words.ts';
import { EDITOR } from './words.ts';

const words = EDITOR.test;
const ALONE = ['input', 'delay', 'forEach', 'repeat', 'runWorkflow'];

/** Runs the form's node once with the values of the selected execution; samples replace them. */
export function NodeTest({ node }: { node: Node }) {
  const { workflowId, draft, sample, savedNodes } = useEditing();
  const { scope: scopeName } = useFormPlace();
  const may = useMay();
  const run = useMutation({
    mutationFn: () => {
      const scope = sample && scopeOf(sample, draft.definition, node.id);
      // The server rejects outputs of nodes that are not stored.
      const known = Object.entries(scope?.steps ?? {}).filter(([id]) => savedNodes.has(id));
      const steps = Object.fromEntries(known.map(([id, { output }]) => [id, output ?? null]));
      return testNode(workflowId ?? '', node.id, {
        inputs: node.inputs ?? {},
        trigger: (scope?.trigger ?? {}) as never,
        steps,
        ...(scope?.loop === undefined ? {} : { loop: scope.loop }),
        ...(scope?.loops === undefined ? {} : { loops: scope.loops }),
      });
    },
  });
  if (!may('executions:run')) return null;
  const isAlone = !ALONE.includes(node.type);
  const isSaved = workflowId !== undefined && savedNodes.has(node.id);
  const { data } = run;
  return (
    <details className="editor-more" data-test>
      <summary>{words.title}</summary>
      <Stack gap="xs">
        <Text size="sm">{!isAlone ? words.cannot : isSaved ? words.means : words.needsSaved}</Text>
        {scopeName !== undefined && <Resolved label={words.resolved} value={node.inputs ?? {}} scope={scopeName} />}
        {isAlone && isSaved && (
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

function UseAsSample({ nodeId, output }: { nodeId: string; output: Json }) {
  const { samples } = useEditing();
  const [answer, setAnswer] = useState<{ output: Json; refusal: Refusal | undefined }>();
  const said = answer?.output === output ? answer : undefined;
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" onClick={() => setAnswer({ output, refusal: samples.keep(nodeId, output) })}>
        {SAMPLES.use}
      </Button>
      <Text size="sm" role="status" c={said?.refusal === undefined ? undefined : 'var(--ink-bad)'}>
        {said === undefined ? '' : said.refusal === undefined ? SAMPLES.used : refusalText(said.refusal)}
      </Text>
    </Group>
  );
}
