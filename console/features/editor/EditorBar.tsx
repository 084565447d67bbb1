import { ActionIcon, Button, Group } from '@mantine/core';
import {
  type Icon,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconClipboardPlus,
  IconKeyboard,
  IconLayoutDashboard,
  IconPlayerPlay,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Chip } from '../../ui/Chip.tsx';
import { showKeys } from '../../ui/keys/pageKeys.ts';
import { EDITOR } from './words.ts';

const words = EDITOR;

interface EditorBarProps {
  canUndo: boolean;
  canRedo: boolean;
  changes: number;
  isReadOnly: boolean;
  isSaving: boolean;
  isRunning: boolean;
  /** Undefined if only a published version is stored. */
  state: 'draft' | 'unpublished' | undefined;
  onUndo: () => void;
  onRedo: () => void;
  onTidy: () => void;
  /** Absent if no graph is shown to paste into. */
  onPaste?: (() => void) | undefined;
  onChanges: () => void;
  /** Absent if the workflow can have no draft. */
  onSave: (() => void) | undefined;
  onPublish: () => void;
  onRun: (() => void) | undefined;
  onSettings: () => void;
  /** The saved workflow whose page runs it if the draft cannot run here; absent if the user may not run it. */
  runs?: string | undefined;
}

export function EditorBar(props: EditorBarProps) {
  const { canUndo, canRedo, changes, isReadOnly, isSaving, isRunning, state } = props;
  const { onUndo, onRedo, onTidy, onPaste, onChanges, onSave, onPublish, onRun, onSettings, runs } = props;
  return (
    <Group gap="xs">
      {state !== undefined && <Chip tone="wait">{state === 'draft' ? words.draftChip : words.unpublished}</Chip>}
      <IconButton label={words.keysTitle} icon={IconKeyboard} onClick={showKeys} />
      <Button variant="default" onClick={onSettings}>
        {words.settingsButton}
      </Button>
      {!isReadOnly && (
        <>
          <IconButton label={words.tidy} icon={IconLayoutDashboard} onClick={onTidy} />
          {onPaste !== undefined && <IconButton label={words.paste} icon={IconClipboardPlus} onClick={onPaste} />}
          <IconButton label={words.undo} icon={IconArrowBackUp} disabled={!canUndo} onClick={onUndo} />
          <IconButton label={words.redo} icon={IconArrowForwardUp} disabled={!canRedo} onClick={onRedo} />
          {changes > 0 && (
            <Button variant="subtle" onClick={onChanges}>
              {words.changes(changes)}
            </Button>
          )}
          {onRun !== undefined && (
            <Button
              variant="default"
              leftSection={<IconPlayerPlay size={16} aria-hidden />}
              loading={isRunning}
              onClick={onRun}
            >
              {words.run}
            </Button>
          )}
          {onSave !== undefined && (
            <Button variant="default" loading={isSaving} onClick={onSave}>
              {words.saveDraft}
            </Button>
          )}
          <Button loading={isSaving} onClick={onPublish}>
            {words.publish}
          </Button>
        </>
      )}
      {runs !== undefined && (isReadOnly || onRun === undefined) && (
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

interface IconButtonProps {
  label: string;
  icon: Icon;
  disabled?: boolean;
  onClick: () => void;
}

function IconButton({ label, icon: Shown, ...button }: IconButtonProps) {
  return (
    <ActionIcon variant="default" size={36} aria-label={label} title={label} {...button}>
      <Shown size={18} aria-hidden />
    </ActionIcon>
  );
}
