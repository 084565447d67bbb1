import { ActionIcon, Button, FileButton, Group, Text, Textarea } from '@mantine/core';
import { IconCamera, IconPaperclip } from '@tabler/icons-react';
import type { FileUIPart } from 'ai';
import type { ClipboardEvent, FormEvent, KeyboardEvent } from 'react';
import { SAME_FILE_AGAIN } from '../../../ui/files/sameFileAgain.ts';
import { AttachedFiles } from './AttachedFiles.tsx';
import { useAttachedFiles } from './attachedFiles.ts';
import { useDroppedFiles } from './droppedFiles.ts';
import { useMessageDraft } from './messageDraft.ts';
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
