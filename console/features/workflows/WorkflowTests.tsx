import { Button, Code, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { YAML_STYLE } from '../../../domain/bundle/folders.ts';
import { recordedCase } from '../../../domain/case/recordedCase.ts';
import { MASK } from '../../../domain/execution/maskSecrets.ts';
import { CopyText } from '../../ui/CopyText.tsx';
import { CodeEditor } from '../../ui/code/CodeEditor.tsx';
import { saveFile } from '../../ui/files/saveFile.ts';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { useAbsoluteTime } from '../../ui/time/useAbsoluteTime.ts';
import { WORDS } from '../../ui/words/words.ts';
import { readRecord, recordable, type WorkflowWhole } from './queries/workflows.ts';
import { WORKFLOW_TESTS } from './words.ts';

const words = WORKFLOW_TESTS;

export function WorkflowTests({ workflow: { id, slug = id } }: { workflow: WorkflowWhole }) {
  const [chosen, setChosen] = useState('');
  const absoluteTime = useAbsoluteTime();
  const offered = useQuery(recordable(id));
  const record = useMutation({ mutationFn: () => caseText({ id, slug }, chosen) });
  const rows = offered.data ?? [];
  return (
    <Stack>
      <Text maw="44rem">{words.means}</Text>
      {offered.error !== null && <ProblemAlert error={offered.error} onRetry={() => void offered.refetch()} />}
      {offered.data?.length === 0 && <Text>{words.noneYet}</Text>}
      {rows.length > 0 && (
        <Group align="flex-end">
          <NativeSelect
            label={words.execution}
            value={chosen}
            onChange={(event) => {
              setChosen(event.currentTarget.value);
              record.reset();
            }}
            data={[
              { value: '', label: words.choose },
              ...rows.map(({ id: value, executionNumber = 0, status = 'COMPLETED', startedAt }) => ({
                value,
                label: words.executionOf(executionNumber, WORDS.status[status], absoluteTime(startedAt)),
              })),
            ]}
          />
          <Button disabled={chosen === ''} loading={record.isPending} onClick={() => record.mutate()}>
            {words.record}
          </Button>
        </Group>
      )}
      {record.error !== null && <ProblemAlert error={record.error} />}
      {record.data !== undefined && (
        <Recorded text={record.data} file={`${slug}-${numberOf(rows, chosen)}.yaml`} slug={slug} />
      )}
    </Stack>
  );
}

const numberOf = (rows: readonly { id: string; executionNumber?: number }[], chosen: string): number =>
  rows.find(({ id }) => id === chosen)?.executionNumber ?? 0;

function Recorded({ text, file, slug }: { text: string; file: string; slug: string }) {
  const command = `perdure test --workflow ${slug}`;
  return (
    <>
      <CodeEditor label={words.text} language="yaml" value={text} />
      {text.includes(MASK) && <Text>{words.masked}</Text>}
      <Group>
        <Button onClick={() => saveFile(file, 'application/yaml', text)}>{words.download}</Button>
        <CopyText text={text} label={words.copy} />
      </Group>
      <Text>{words.keepAs(`tests/${file}`)}</Text>
      <Group>
        <Code>{command}</Code>
        <CopyText text={command} label={words.command} size="compact-sm" />
      </Group>
    </>
  );
}

/** Returns an execution as a test file in YAML, equal to that of `perdure test --record`. */
async function caseText({ id, slug }: { id: string; slug: string }, executionId: string): Promise<string> {
  const { execution, ...record } = await readRecord(id, executionId);
  const { stringify } = await import('yaml');
  return stringify(recordedCase({ slug, execution, ...record }), { ...YAML_STYLE, aliasDuplicateObjects: false });
}
