import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { enterWorkspace } from '../../app/api/me.ts';
import { Chip } from '../../ui/Chip.tsx';
import { done } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { WorkButton } from '../../ui/WorkButton.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { LeaveDialog } from './LeaveDialog.tsx';
import { answerInvitation, refreshInvitations } from './mutations.ts';
import { type OwnInvitation, ownInvitations, type Person } from './queries.ts';
import { ACCOUNT } from './words.ts';

const words = ACCOUNT;

type Workspace = Person['workspaces'][number];

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
                <Text size="sm">{WORDS.roles[role]}</Text>
                {id === person.workspace.id ? (
                  <Chip tone="good">{words.here}</Chip>
                ) : (
                  <WorkButton
                    size="compact-sm"
                    variant="default"
                    aria-label={words.enterOf(name)}
                    onAct={() => enterWorkspace(id)}
                  >
                    {words.enter}
                  </WorkButton>
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
      <Invitations email={person.email} />
      {leaving !== undefined && (
        <LeaveDialog workspace={leaving} person={person} onClose={() => setLeaving(undefined)} />
      )}
    </Stack>
  );
}

function Invitations({ email }: { email: string }) {
  const navigate = useNavigate();
  /** The invitation of the link that opened this page. */
  const { invitation: wanted } = useSearch({ from: '/frame/settings/account' });
  const invitations = useQuery(ownInvitations());
  if (invitations.error !== null) return <ProblemAlert error={invitations.error} isRead />;
  if (invitations.data === undefined) return null;
  const isMissing = wanted !== undefined && !invitations.data.some(({ id }) => id === wanted);
  if (invitations.data.length === 0) return isMissing ? <Text role="alert">{words.notInvited(email)}</Text> : null;
  const answer = async ({ id, workspace }: OwnInvitation, accepts: boolean) => {
    await answerInvitation(id, accepts);
    if (id === wanted) await navigate({ to: '/settings/account', replace: true });
    await refreshInvitations();
    done(accepts ? words.accepted(workspace.name) : words.declined(workspace.name));
  };
  return (
    <div>
      <Title order={3} size="h5" mb={4}>
        {words.invitations}
      </Title>
      {isMissing && <Text role="alert">{words.notInvited(email)}</Text>}
      <ul className="plain">
        {invitations.data.map((invitation) => {
          const { id, workspace, role, invitedBy, expiresAt } = invitation;
          return (
            <li key={id}>
              <Group gap="sm">
                <Text fw={600}>{workspace.name}</Text>
                <Text size="sm">
                  {WORDS.roles[role]} {invitedBy !== null && words.invitedBy(invitedBy)}
                  {expiresAt !== null && (
                    <>
                      {' · '}
                      {words.columns.expires} <Moment at={expiresAt} />
                    </>
                  )}
                </Text>
                <WorkButton
                  size="compact-sm"
                  aria-label={words.acceptOf(workspace.name)}
                  onAct={() => answer(invitation, true)}
                >
                  {words.accept}
                </WorkButton>
                <WorkButton
                  size="compact-sm"
                  variant="default"
                  aria-label={words.declineOf(workspace.name)}
                  onAct={() => answer(invitation, false)}
                >
                  {words.decline}
                </WorkButton>
              </Group>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
