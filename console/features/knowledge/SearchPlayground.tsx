import { Button, Group, NativeSelect, NumberInput, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { SearchOf } from '../../ui/search.ts';
import { metadataFilter } from '../entities/metadataFilter.ts';
import { Hits } from './Hits.tsx';
import { hitsOf, MAX_HITS, SEARCH_MODES, type SearchMode, USUAL_HITS } from './queries.ts';
import { SaveQuestion } from './SaveQuestion.tsx';
import { KNOWLEDGE } from './words.ts';

type Search = SearchOf<'/frame/knowledge/$knowledgeId'>;

const words = KNOWLEDGE;

interface SearchPlaygroundProps {
  knowledgeId: string;
  search: Search;
  onChange: (change: Search) => void;
}

export function SearchPlayground({ knowledgeId, search, onChange }: SearchPlaygroundProps) {
  const { q = '', mode = 'hybrid', limit = String(USUAL_HITS), filter = '' } = search;
  const [question, setQuestion] = useState(q);
  const [metadata, setMetadata] = useState(filter);
  const [most, setMost] = useState<string | number>(limit);
  const isWrong = metadataFilter(metadata) === undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isWrong) onChange({ q: question.trim(), filter: metadata.trim(), limit: String(most) });
  };
  const [isSaving, setSaving] = useState(false);
  const modes: readonly SearchMode[] =
    mode === 'all'
      ? SEARCH_MODES
      : SEARCH_MODES.filter((each) => each === mode || (each === 'hybrid' && !(mode in words.modes)));
  const asked = { query: q, limit: hitsOf(limit), filter: metadataFilter(filter) ?? {} };
  return (
    <Stack>
      <form onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          <TextInput
            label={words.query}
            value={question}
            maxLength={10_000}
            onChange={(event) => setQuestion(event.currentTarget.value)}
            style={{ flex: '1 1 18rem' }}
          />
          <NativeSelect
            label={words.mode}
            value={mode}
            onChange={(event) => onChange({ mode: event.currentTarget.value })}
            data={Object.entries(words.modes).map(([value, label]) => ({ value, label }))}
          />
          <NumberInput label={words.limit} min={1} max={MAX_HITS} value={most} onChange={setMost} w={100} />
          <TextInput
            label={words.filter}
            placeholder={words.filterHelp}
            error={isWrong ? words.filterWrong : undefined}
            value={metadata}
            onChange={(event) => setMetadata(event.currentTarget.value)}
            style={{ flex: '1 1 12rem' }}
          />
          <Button type="submit">{words.search}</Button>
          <Button variant="default" disabled={q === ''} onClick={() => setSaving(true)}>
            {words.saveQuestion}
          </Button>
        </Group>
      </form>
      {isSaving && (
        <SaveQuestion knowledgeId={knowledgeId} question={q} filter={filter} onClose={() => setSaving(false)} />
      )}
      {q === '' ? (
        <Text>{words.askFirst}</Text>
      ) : (
        <SimpleGrid cols={{ base: 1, md: modes.length }}>
          {modes.map((each) => (
            <section key={each} aria-label={words.modes[each]}>
              {modes.length > 1 && (
                <Title order={2} size="h5" mb="xs">
                  {words.modes[each]}
                </Title>
              )}
              <Hits knowledgeId={knowledgeId} mode={each} asked={asked} />
            </section>
          ))}
        </SimpleGrid>
      )}
    </Stack>
  );
}
