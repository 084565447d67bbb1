import { ActionIcon, Button, Group } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconClipboardPlus,
  IconKeyboard,
  IconLayoutDashboard,
} from '@tabler/icons-react';
import { showKeys } from '../live/pageKeys.ts';
import { EDITOR } from '../words/en/editor.ts';

const words = EDITOR;

interface EditorBarProps {
  canUndo: boolean;
  canRedo: boolean;
  changes: number;
  isReadOnly: boolean;
  isSaving: boolean;
  onUndo: () => void;
  onRedo: () => void;
  onTidy: () => void;
  /** Absent where there is no graph to paste into. */
  onPaste?: (() => void) | undefined;
  onChanges: () => void;
  onSave: () => void;
  onSettings: () => void;
  /** Absent where there is nothing to run, or it is not for this person. */
  onRun?: (() => void) | undefined;
}

/** What one can do with the whole. */
export function EditorBar(props: EditorBarProps) {
  const { canUndo, canRedo, changes, isReadOnly, isSaving } = props;
  const { onUndo, onRedo, onTidy, onPaste, onChanges, onSave, onSettings, onRun } = props;
  return (
    <Group gap="xs">
      <ActionIcon variant="default" size={36} aria-label={words.keysTitle} title={words.keysTitle} onClick={showKeys}>
        <IconKeyboard size={18} aria-hidden />
      </ActionIcon>
      <Button variant="default" onClick={onSettings}>
        {words.settingsButton}
      </Button>
      {!isReadOnly && (
        <>
          <ActionIcon variant="default" size={36} aria-label={words.tidy} title={words.tidy} onClick={onTidy}>
            <IconLayoutDashboard size={18} aria-hidden />
          </ActionIcon>
          {onPaste !== undefined && (
            <ActionIcon variant="default" size={36} aria-label={words.paste} title={words.paste} onClick={onPaste}>
              <IconClipboardPlus size={18} aria-hidden />
            </ActionIcon>
          )}
          <ActionIcon
            variant="default"
            size={36}
            aria-label={words.undo}
            title={words.undo}
            disabled={!canUndo}
            onClick={onUndo}
          >
            <IconArrowBackUp size={18} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={words.redo}
            title={words.redo}
            disabled={!canRedo}
            onClick={onRedo}
          >
            <IconArrowForwardUp size={18} aria-hidden />
          </ActionIcon>
          {changes > 0 && (
            <Button variant="subtle" onClick={onChanges}>
              {words.changes(changes)}
            </Button>
          )}
          <Button loading={isSaving} onClick={onSave}>
            {words.save}
          </Button>
        </>
      )}
      {onRun !== undefined && (
        <Button variant="default" onClick={onRun}>
          {words.runSaved}
        </Button>
      )}
    </Group>
  );
}
