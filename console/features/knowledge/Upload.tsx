import { Button, FileButton, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { isProblem, newIdempotencyKey } from 'perdure-client';
import { type FormEvent, useState } from 'react';
import { Chip, type Tone } from '../../ui/Chip.tsx';
import { SAME_FILE_AGAIN, utf8Text } from '../../ui/files/fileInput.ts';
import { problemText } from '../../ui/notices.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { storeDocument } from './mutations.ts';
import { KNOWLEDGE } from './words.ts';

const words = KNOWLEDGE;

const MAX_BYTES = 10 * 1024 * 1024;

const KINDS = '.txt,.md,.markdown,.csv,.tsv,.json,.html,.xml,.yaml,.yml,.log,.rst,text/*';

interface OneUpload {
  key: string;
  name: string;
  read: () => Promise<string>;
  state: 'waiting' | 'running' | 'done' | 'failed';
  problem?: string;
  /** The file was readable and the failure may be temporary, so a retry is offered. */
  isAgain?: boolean;
}

const TONES: Record<OneUpload['state'], Tone> = { waiting: 'wait', running: 'run', done: 'good', failed: 'bad' };

/** Stores files and pasted texts as documents, one at a time, and shows the state of each. */
export function Upload({ knowledgeId }: { knowledgeId: string }) {
  const [uploads, setUploads] = useState<readonly OneUpload[]>([]);
  const [isPasting, setPasting] = useState(false);
  const begin = (name: string, read: () => Promise<string>): OneUpload => {
    const upload: OneUpload = { key: newIdempotencyKey(), name, read, state: 'waiting' };
    setUploads((all) => [...all, upload]);
    return upload;
  };
  /** Returns whether the document was stored. A retry uses the same key, so nothing is stored twice. */
  const store = async ({ key, name, read }: OneUpload): Promise<boolean> => {
    const note = (change: Partial<OneUpload>) =>
      setUploads((all) => all.map((each) => (each.key === key ? { ...each, ...change } : each)));
    note({ state: 'running', problem: undefined, isAgain: false });
    let text: string | undefined;
    try {
      text = await read();
      await storeDocument(knowledgeId, { text, name }, key);
      note({ state: 'done' });
      return true;
    } catch (error) {
      note({ state: 'failed', problem: problemText(error), isAgain: text !== undefined && !isForGood(error) });
      return false;
    }
  };
  const storeFiles = async (files: readonly File[]) => {
    for (const upload of files.map((file) => begin(file.name, () => textOf(file)))) await store(upload);
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
          onStore={async (name, text) => {
            if (await store(begin(name, async () => text))) setPasting(false);
          }}
        />
      )}
      {uploads.length > 0 && (
        <div role="status" aria-label={words.uploads}>
          <ul className="uploads">
            {uploads.map((upload) => (
              <li key={upload.key}>
                <Chip tone={TONES[upload.state]}>{words.uploadStates[upload.state]}</Chip> {upload.name}{' '}
                {upload.problem !== undefined && <Text component="span">{upload.problem}</Text>}{' '}
                {upload.isAgain === true && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={words.againOf(upload.name)}
                    onClick={() => void store(upload)}
                  >
                    {WORDS.retryLoad}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Stack>
  );
}

/** A retry would be rejected again, because of the text or the base. */
const isForGood = (error: unknown) => isProblem(error) && [400, 404, 409, 413].includes(error.status);

/** Throws an Error if the file is not a text in UTF-8, is empty, or is too large for one document. */
async function textOf(file: File): Promise<string> {
  if (file.size > MAX_BYTES) throw new Error(words.tooLarge);
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes.includes(0)) throw new Error(words.notText);
  const text = utf8Text(bytes);
  if (text === undefined) throw new Error(words.notUtf8);
  if (text.trim() === '') throw new Error(words.noText);
  return text;
}

/** A form for a text to store as a document. It keeps the text until `onStore` resolves. */
function Paste({ onStore }: { onStore: (name: string, text: string) => Promise<void> }) {
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    void onStore(name.trim(), text).finally(() => setBusy(false));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <TextInput
          label={words.documentName}
          required
          maxLength={500}
          readOnly={isBusy}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label={words.text}
          required
          autosize
          minRows={5}
          maxRows={20}
          readOnly={isBusy}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" loading={isBusy} disabled={name.trim() === '' || text.trim() === ''}>
            {words.store}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
