import { ActionIcon, Button, Group } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconClipboardPlus,
  IconKeyboard,
  IconLayoutDashboard,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { showKeys } from '../../ui/keys/pageKeys.ts';
import { EDITOR } from './words.ts';

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
  /** Absent if no graph is shown to paste into. */
  onPaste?: (() => void) | undefined;
  onChanges: () => void;
  onSave: () => void;
  onSettings: () => void;
  /** The saved workflow that the Run button opens; absent if there is none or the user may not run it. */
  runs?: string | undefined;
}

export function EditorBar(props: EditorBarProps) {
  const { canUndo, canRedo, changes, isReadOnly, isSaving } = props;
  const { onUndo, onRedo, onTidy, onPaste, onChanges, onSave, onSettings, runs } = props;
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
      {runs !== undefined && (
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link to="/workflows/$workflowId" params={{ workflowId: runs }} search={{ run: 'yes' }} {...props} />
          )}
        >
          {words.runSaved}
        </Button>
      )}
    </Group>
  );
}
