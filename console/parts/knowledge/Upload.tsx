import { Button, FileButton, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { newIdempotencyKey } from 'perdure-client';
import { type FormEvent, useState } from 'react';
import { client } from '../../session.ts';
import { KNOWLEDGE } from '../../words/en/knowledge.ts';
import { Chip, type Tone } from '../Chip.tsx';
import { problemText } from '../problemText.ts';
import { SAME_FILE_AGAIN } from '../sameFileAgain.ts';

const words = KNOWLEDGE;

const MOST_BYTES = 10 * 1024 * 1024;
/** A long text is embedded part by part before the answer comes. */
const LONGEST_MS = 1_800_000;

const KINDS = '.txt,.md,.markdown,.csv,.tsv,.json,.html,.xml,.yaml,.yml,.log,.rst,text/*';

interface OneUpload {
  key: string;
  name: string;
  state: 'running' | 'done' | 'failed';
  problem?: string;
}

const TONES: Record<OneUpload['state'], Tone> = { running: 'run', done: 'good', failed: 'bad' };

/** Files and pasted texts become documents, one after the other; each says what became of it. */
export function Upload({ knowledgeId }: { knowledgeId: string }) {
  const queries = useQueryClient();
  const [uploads, setUploads] = useState<readonly OneUpload[]>([]);
  const [isPasting, setPasting] = useState(false);
  const store = async (name: string, read: () => Promise<string>) => {
    const key = newIdempotencyKey();
    const note = (change: Partial<OneUpload>) =>
      setUploads((all) => all.map((each) => (each.key === key ? { ...each, ...change } : each)));
    setUploads((all) => [...all, { key, name, state: 'running' }]);
    try {
      const text = await read();
      await client.saveUploadedText({
        path: { knowledgeId },
        body: { text, name },
        idempotencyKey: key,
        timeoutMs: LONGEST_MS,
      });
      note({ state: 'done' });
      void queries.invalidateQueries({ queryKey: ['listKnowledgeDocuments'] });
      void queries.invalidateQueries({ queryKey: ['getKnowledge', knowledgeId] });
    } catch (error) {
      note({ state: 'failed', problem: problemText(error) });
    }
  };
  const storeFiles = async (files: readonly File[]) => {
    for (const file of files) await store(file.name, () => textOf(file));
  };
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <FileButton
          onChange={(files) => void storeFiles(files)}
          multiple
          accept={KINDS}
          inputProps={{ ...SAME_FILE_AGAIN, 'aria-label': words.upload }}
        >
          {(props) => <Button {...props}>{words.upload}</Button>}
        </FileButton>
        <Button variant="default" aria-expanded={isPasting} onClick={() => setPasting(!isPasting)}>
          {words.paste}
        </Button>
        <Text size="sm">{words.uploadHelp}</Text>
      </Group>
      {isPasting && (
        <Paste
          onStore={(name, text) => {
            setPasting(false);
            void store(name, async () => text);
          }}
        />
      )}
      {uploads.length > 0 && (
        <div role="status" aria-label={words.uploads}>
          <ul className="uploads">
            {uploads.map(({ key, name, state, problem }) => (
              <li key={key}>
                <Chip tone={TONES[state]}>{words.uploadStates[state]}</Chip> {name}{' '}
                {problem !== undefined && <Text component="span">{problem}</Text>}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Stack>
  );
}

/** Throws where it is no text, or too large for one document. */
async function textOf(file: File): Promise<string> {
  if (file.size > MOST_BYTES) throw new Error(words.tooLarge);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    if (!text.includes('\0')) return text;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw new Error(words.notText);
}

function Paste({ onStore }: { onStore: (name: string, text: string) => void }) {
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onStore(name.trim(), text);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <TextInput
          label={words.documentName}
          required
          maxLength={500}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label={words.text}
          required
          autosize
          minRows={5}
          maxRows={20}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" disabled={name.trim() === '' || text.trim() === ''}>
            {words.store}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
