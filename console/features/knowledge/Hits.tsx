import { Anchor, Card, Group, Stack, Text } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Loading } from '../../ui/Loading.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { knowledgeDocument, knowledgeSearch, type SearchMode } from './queries.ts';
import { KNOWLEDGE } from './words.ts';

const words = KNOWLEDGE;

interface HitsProps {
  knowledgeId: string;
  mode: SearchMode;
  asked: { query: string; limit: number; filter: Record<string, unknown> };
}

export function Hits({ knowledgeId, mode, asked }: HitsProps) {
  const found = useQuery(knowledgeSearch(knowledgeId, mode, asked));
  const results = found.data?.results ?? [];
  const groups = [...new Set(results.map(({ groupId }) => groupId))];
  const names = useQueries({
    queries: groups.map((groupId) => ({
      ...knowledgeDocument(knowledgeId, groupId),
      select: ({ name }: { name: string | null }) => name,
    })),
  });
  const nameOf = (groupId: string) => names[groups.indexOf(groupId)]?.data ?? words.untitled;
  const failure = found.data?.embeddingFailure;
  return (
    <Stack gap="xs">
      {found.isPending && <Loading />}
      {found.error !== null && <ProblemAlert error={found.error} onRetry={() => void found.refetch()} />}
      {failure !== undefined && <Text role="status">{words.byWordsAlone(failure.message)}</Text>}
      {found.data !== undefined && results.length === 0 && <Text>{words.noHits}</Text>}
      <ol className="hits">
        {results.map(({ documentId, groupId, partNumber, text, score }) => (
          <Card key={`${documentId} ${partNumber}`} component="li" withBorder padding="sm">
            <Group justify="space-between" gap="xs">
              <Anchor
                renderRoot={(props) => (
                  <Link
                    to={`/knowledge/${knowledgeId}`}
                    search={{ document: groupId, part: String(partNumber) }}
                    {...props}
                  />
                )}
                underline="always"
                size="sm"
              >
                {words.openPart(nameOf(groupId), partNumber)}
              </Anchor>
              <Text size="sm">{words.score(score)}</Text>
            </Group>
            <Text size="sm" lineClamp={8} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {text}
            </Text>
          </Card>
        ))}
      </ol>
    </Stack>
  );
}
