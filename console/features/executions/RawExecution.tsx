import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CopyText } from '../../ui/CopyText.tsx';
import { jsonText } from '../../ui/code/jsonText.ts';
import { saveFile } from '../../ui/files/saveFile.ts';
import { Loading } from '../../ui/Loading.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { Value } from '../values/Value.tsx';
import { wholeExecution } from './queries/steps.ts';
import { EXECUTION } from './words.ts';

const words = EXECUTION.raw;

interface RawExecutionProps {
  executionId: string;
  number: number;
  onClose: () => void;
}

export function RawExecution({ executionId, number, onClose }: RawExecutionProps) {
  const { data, error, refetch } = useQuery(wholeExecution(executionId));
  const text = data === undefined ? '' : jsonText(data);
  return (
    <Modal opened onClose={onClose} closeOnClickOutside title={words.title} size="xl">
      <Stack>
        <Text size="sm">{words.means}</Text>
        {error !== null && <ProblemAlert error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Loading height={320} />}
        {data !== undefined && (
          <>
            <Group>
              <CopyText text={text} label={WORDS.copy('JSON')} />
              <Button
                size="sm"
                variant="default"
                onClick={() => saveFile(`execution-${number}.json`, 'application/json', text)}
              >
                {words.download}
              </Button>
            </Group>
            <Value value={data} />
          </>
        )}
      </Stack>
    </Modal>
  );
}
