import { Checkbox, Text } from '@mantine/core';
import { isProblem } from 'perdure-client';
import { useState } from 'react';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { forgetSession, keepSession } from '../../app/session/session.ts';
import { done } from '../../ui/notices.tsx';
import { leaveWorkspace, refreshEverything, switchWorkspace } from './mutations.ts';
import type { Person } from './queries.ts';
import { ACCOUNT } from './words.ts';

const words = ACCOUNT;

interface LeaveDialogProps {
  workspace: Pick<Person['workspaces'][number], 'id' | 'name'>;
  person: Person;
  onClose: () => void;
}

/** Continues in another of the person's workspaces, or at the login, if the current one is left. */
export function LeaveDialog({ workspace, person, onClose }: LeaveDialogProps) {
  const isHere = workspace.id === person.workspace.id;
  const next = person.workspaces.find(({ id }) => id !== workspace.id);
  const [revokes, setRevokes] = useState(false);
  const leave = async () => {
    const apiKeys = revokes ? 'revoke' : 'keep';
    // Leaving a workspace ends its sessions, so the next session is opened first.
    if (isHere && next !== undefined) {
      const tokens = await switchWorkspace(next.id);
      await leaveWorkspace(workspace.id, apiKeys);
      keepSession(tokens);
      location.assign('/console/');
      return;
    }
    await leaveWorkspace(workspace.id, apiKeys);
    if (isHere) {
      forgetSession();
      location.assign('/console/login');
      return;
    }
    await refreshEverything();
    done(words.left(workspace.name));
  };
  return (
    <ActDialog
      title={words.leaveTitle(workspace.name)}
      means={next === undefined ? words.leaveLast : words.leaveMeans}
      button={words.leave}
      isDangerous
      explain={(error) =>
        isProblem(error, 'CONFLICT') ? <Text c="var(--ink-bad)">{words.lastOwner}</Text> : undefined
      }
      onAct={leave}
      onClose={onClose}
    >
      <Checkbox
        label={words.revokeOwnKeys}
        checked={revokes}
        onChange={(event) => setRevokes(event.currentTarget.checked)}
      />
    </ActDialog>
  );
}
