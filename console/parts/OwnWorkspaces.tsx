import { Button, Checkbox, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import { useState } from 'react';
import { type OwnInvitation, ownInvitations, type Person } from '../data/account.ts';
import { enterWorkspace } from '../data/workspaces.ts';
import { client, forgetSession, keepSession } from '../session.ts';
import { SETTINGS } from '../words/en/settings.ts';
import { ActDialog } from './ActDialog.tsx';
import { Chip } from './Chip.tsx';
import { Moment } from './Moment.tsx';
import { done, failed } from './notices.tsx';
import { ProblemAlert } from './ProblemAlert.tsx';

const words = SETTINGS.account;

type Workspace = Person['workspaces'][number];

/** Workspaces of the person, and those that have invited them. */
export function OwnWorkspaces({ person }: { person: Person }) {
  const [leaving, setLeaving] = useState<Workspace>();
  return (
    <Stack>
      <ul className="plain">
        {person.workspaces.map((workspace) => {
          const { id, name, role } = workspace;
          return (
            <li key={id}>
              <Group gap="sm">
                <Text fw={600}>{name}</Text>
                <Text size="sm">{SETTINGS.people.roles[role]}</Text>
                {id === person.workspace.id ? (
                  <Chip tone="good">{words.here}</Chip>
                ) : (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={words.enterOf(name)}
                    onClick={() => void enterWorkspace(id).catch(failed)}
                  >
                    {words.enter}
                  </Button>
                )}
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="red"
                  c="var(--ink-bad)"
                  aria-label={words.leaveOf(name)}
                  onClick={() => setLeaving(workspace)}
                >
                  {words.leave}
                </Button>
              </Group>
            </li>
          );
        })}
      </ul>
      <Invitations />
      {leaving !== undefined && (
        <LeaveDialog
          workspace={leaving}
          isHere={leaving.id === person.workspace.id}
          next={person.workspaces.find(({ id }) => id !== leaving.id)}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </Stack>
  );
}

interface LeaveDialogProps {
  workspace: Workspace;
  isHere: boolean;
  /** Where the person goes who leaves the workspace that is shown. */
  next: Workspace | undefined;
  onClose: () => void;
}

function LeaveDialog({ workspace, isHere, next, onClose }: LeaveDialogProps) {
  const queries = useQueryClient();
  const [revokes, setRevokes] = useState(false);
  const leave = async () => {
    const leaving = { path: { workspaceId: workspace.id }, query: { apiKeys: revokes ? 'revoke' : 'keep' } } as const;
    // A session of the workspace that is left ends with it: the next one begins before.
    if (isHere && next !== undefined) {
      const tokens = await client.switchWorkspace({ body: { workspaceId: next.id } });
      await client.leaveWorkspace(leaving);
      keepSession(tokens);
      location.assign('/console/');
      return;
    }
    await client.leaveWorkspace(leaving);
    if (isHere) {
      forgetSession();
      location.assign('/console/login');
      return;
    }
    await queries.invalidateQueries();
    done(words.left(workspace.name));
  };
  return (
    <ActDialog
      title={words.leaveTitle(workspace.name)}
      means={words.leaveMeans}
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

function Invitations() {
  const queries = useQueryClient();
  const invitations = useQuery(ownInvitations());
  if (invitations.error !== null) return <ProblemAlert error={invitations.error} isRead />;
  if (invitations.data === undefined || invitations.data.length === 0) return null;
  const answer = async ({ id, workspace }: OwnInvitation, accepts: boolean) => {
    const path = { invitationId: id };
    if (accepts) await client.acceptInvitation({ path });
    else await client.declineInvitation({ path });
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['listInvitations'] }),
      queries.invalidateQueries({ queryKey: ['getCurrentUser'] }),
    ]);
    done(accepts ? words.accepted(workspace.name) : words.declined(workspace.name));
  };
  return (
    <div>
      <Title order={3} size="h5" mb={4}>
        {words.invitations}
      </Title>
      <ul className="plain">
        {invitations.data.map((invitation) => {
          const { id, workspace, role, invitedBy, expiresAt } = invitation;
          return (
            <li key={id}>
              <Group gap="sm">
                <Text fw={600}>{workspace.name}</Text>
                <Text size="sm">
                  {SETTINGS.people.roles[role]} {invitedBy !== null && words.invitedBy(invitedBy)}
                  {expiresAt !== null && (
                    <>
                      {' · '}
                      {words.columns.expires} <Moment at={expiresAt} />
                    </>
                  )}
                </Text>
                <Button
                  size="compact-sm"
                  aria-label={words.acceptOf(workspace.name)}
                  onClick={() => void answer(invitation, true).catch(failed)}
                >
                  {words.accept}
                </Button>
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={words.declineOf(workspace.name)}
                  onClick={() => void answer(invitation, false).catch(failed)}
                >
                  {words.decline}
                </Button>
              </Group>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
