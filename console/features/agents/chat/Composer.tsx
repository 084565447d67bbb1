import { ActionIcon, Button, CloseButton, FileButton, Group, Text, Textarea } from '@mantine/core';
import { IconCamera, IconPaperclip } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { FileUIPart } from 'ai';
import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { ME } from '../../../app/api/me.ts';
import { browserTexts } from '../../../app/storage/browserStorage.ts';
import { keepDraft, messageDraftKey, readDraft } from '../../../app/storage/drafts.ts';
import { personId } from '../../../app/storage/personId.ts';
import { useSharedDraft } from '../../../app/storage/sharedDraft.ts';
import { SAME_FILE_AGAIN } from '../../../ui/files/fileInput.ts';
import { useAttachedFiles } from './attachedFiles.ts';
import { plainName } from './untrustedContent.ts';
import { CHAT } from './words.ts';

const words = CHAT;

interface ComposerProps {
  agentId: string;
  /** Absent for the first message of a new task. */
  taskId?: string;
  /** Text and files stay in the form until its promise resolves. */
  onSend: (text: string, files: readonly FileUIPart[]) => unknown;
  isSending?: boolean;
  onStop?: (() => void) | undefined;
  isStopping?: boolean;
  note?: string | undefined;
}

/**
 * Enter sends, Shift+Enter breaks the line, Escape stops the turn, Ctrl/⌘ + ↑ in an empty field edits the last message.
 */
export function Composer(props: ComposerProps) {
  const { agentId, taskId, onSend, isSending = false, onStop, isStopping = false, note } = props;
  const draft = useMessageDraft(agentId, taskId);
  const { files, isReading, refused, add, remove, ...attached } = useAttachedFiles(agentId, taskId);
  const isOver = useDroppedFiles(add);
  const { text, write } = draft;
  const sent = () => {
    draft.sent();
    attached.sent();
  };
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if ((text.trim() === '' && files.length === 0) || isSending || isReading) return;
    const sending = onSend(text.trim(), files);
    if (sending instanceof Promise) sending.then(sent, () => undefined);
    else sent();
  };
  const onPaste = ({ clipboardData }: ClipboardEvent) => {
    // Spreadsheets put a copied table on the clipboard as text and as a picture.
    if (clipboardData.getData('text/plain') === '') add([...clipboardData.files]);
  };
  const onKey = (event: KeyboardEvent) => {
    // Enter that confirms a character of an input method must not send.
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) send(event);
    if (event.key === 'ArrowUp' && (event.ctrlKey || event.metaKey) && text === '') {
      document.querySelector<HTMLElement>('[data-edit-last]')?.click();
    }
    if (event.key === 'Escape' && onStop !== undefined) onStop();
  };
  return (
    <form onSubmit={send} className="composer" data-over={isOver}>
      <Textarea
        label={words.message}
        placeholder={words.placeholder}
        autosize
        minRows={2}
        maxRows={10}
        value={text}
        onChange={(event) => write(event.currentTarget.value)}
        onKeyDown={onKey}
        onPaste={onPaste}
      />
      <AttachedFiles files={files} refused={refused} onRemove={remove} />
      <Group justify="space-between" mt="xs" gap="xs">
        <Text size="xs" className="composer-note">
          {note ?? words.keys}
        </Text>
        <Group gap="xs">
          <FileButton
            accept="image/*"
            capture="environment"
            onChange={(photo) => add(photo === null ? [] : [photo])}
            inputProps={SAME_FILE_AGAIN}
          >
            {(button) => (
              <ActionIcon
                {...button}
                variant="default"
                size={36}
                className="camera"
                aria-label={words.files.photograph}
                title={words.files.photograph}
              >
                <IconCamera size={18} aria-hidden />
              </ActionIcon>
            )}
          </FileButton>
          <FileButton multiple onChange={add} inputProps={SAME_FILE_AGAIN}>
            {(button) => (
              <ActionIcon
                {...button}
                variant="default"
                size={36}
                loading={isReading}
                aria-label={words.files.attach}
                title={words.files.attach}
              >
                <IconPaperclip size={18} aria-hidden />
              </ActionIcon>
            )}
          </FileButton>
          {onStop !== undefined && (
            <Button variant="default" loading={isStopping} onClick={onStop}>
              {words.stop}
            </Button>
          )}
          <Button type="submit" loading={isSending}>
            {words.send}
          </Button>
        </Group>
      </Group>
    </form>
  );
}

interface AttachedFilesProps {
  files: readonly FileUIPart[];
  refused: readonly string[];
  onRemove: (file: FileUIPart) => void;
}

function AttachedFiles({ files, refused, onRemove }: AttachedFilesProps) {
  return (
    <>
      {files.length > 0 && (
        <ul className="attached" aria-label={CHAT.files.attached}>
          {files.map((file, at) => {
            const name = plainName(file.filename ?? '');
            return (
              <li key={`${at} ${name}`}>
                {file.mediaType.startsWith('image/') && <img src={file.url} alt="" />}
                <bdi>{name}</bdi>
                <CloseButton size="sm" aria-label={CHAT.files.remove(name)} onClick={() => onRemove(file)} />
              </li>
            );
          })}
        </ul>
      )}
      {refused.length > 0 && (
        <div role="alert">
          {refused.map((text) => (
            <Text key={text} size="sm" c="var(--ink-bad)" className="plain">
              {text}
            </Text>
          ))}
        </div>
      )}
    </>
  );
}

/**
 * Takes files dropped anywhere on the page, which the browser would open. Returns whether files are dragged over it.
 */
function useDroppedFiles(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const onDrag = useEffectEvent((event: DragEvent) => {
    const { dataTransfer, relatedTarget, type } = event;
    if (dataTransfer === null || !dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    if (type === 'drop') onFiles([...dataTransfer.files]);
    // A dragleave with a related target only enters another element of the page.
    setOver(type === 'dragover' || (type === 'dragleave' && relatedTarget !== null));
  });
  useEffect(() => {
    const listening = new AbortController();
    for (const type of ['dragover', 'dragleave', 'drop'] as const) {
      addEventListener(type, (event) => onDrag(event), { signal: listening.signal });
    }
    return () => listening.abort();
  }, []);
  return isOver;
}

const KEEPING = {
  read: (key: string | undefined) => {
    const text = key === undefined ? undefined : readDraft(browserTexts(), key, Date.now())?.given.message;
    return typeof text === 'string' ? text : '';
  },
  keep: (key: string, text: string) => {
    if (text === '') browserTexts().removeItem(key);
    else keepDraft(browserTexts(), key, { message: text }, Date.now());
  },
};

function useMessageDraft(agentId: string, taskId: string | undefined) {
  const { data: me } = useQuery(ME);
  const key = me === undefined ? undefined : messageDraftKey(personId(me), agentId, taskId);
  const [text, write] = useSharedDraft(key, KEEPING);
  const latest = useRef(text);
  latest.current = text;
  return {
    text,
    write,
    /** Clears the draft, unless the person has typed since this render. */
    sent: () => {
      if (latest.current === text) write('');
    },
  };
}
