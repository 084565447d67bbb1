import { Button, NativeSelect, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ROLES, type Role } from '../../../domain/access/permission.ts';
import { ME } from '../../app/api/me.ts';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { done } from '../../ui/notices.tsx';
import { Page } from '../../ui/Page.tsx';
import { ShownOnce } from '../../ui/ShownOnce.tsx';
import { Listing } from '../../ui/table/Listing.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { type Invitation, invitePerson } from './mutations.ts';
import { PeopleTable } from './PeopleTable.tsx';
import { peoplePages } from './queries.ts';
import { PEOPLE } from './words.ts';
import '../../ui/settings.css';

const words = PEOPLE;

export function People() {
  const { data: me } = useQuery(ME);
  const pages = useInfiniteQuery(peoplePages());
  const [isInviting, setInviting] = useState(false);
  const [shown, setShown] = useState<HandedOver>();
  const invited = (name: string, invitation: Invitation | null) => setShown(handedOver(name, invitation));
  const rows = pages.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <Page
      title={WORDS.navigation.settingsPages.people}
      beside={<Button onClick={() => setInviting(true)}>{words.invite}</Button>}
    >
      <Listing pages={pages} empty={WORDS.none}>
        <PeopleTable rows={rows} own={me !== undefined && 'email' in me ? me : undefined} onInvited={invited} />
      </Listing>
      {isInviting && <InviteDialog onInvited={invited} onClose={() => setInviting(false)} />}
      {shown !== undefined && <InvitationLink {...shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}

interface InviteDialogProps {
  onInvited: (name: string, invitation: Invitation | null) => void;
  onClose: () => void;
}

function InviteDialog({ onInvited, onClose }: InviteDialogProps) {
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('builder');
  const act = async () => {
    const body = { email: email.trim(), role, ...(name.trim() === '' ? {} : { name: name.trim() }) };
    const added = await invitePerson(body);
    onInvited(added.name, added.invitation);
  };
  return (
    <ActDialog
      title={words.invite}
      button={words.inviteButton}
      isDisabled={!email.includes('@')}
      onAct={act}
      onClose={onClose}
    >
      <TextInput
        label={words.email}
        type="email"
        data-autofocus
        maxLength={320}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <TextInput
        label={WORDS.optional(WORDS.name)}
        description={words.nameHelp}
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <NativeSelect
        label={words.role}
        description={words.roleMeans[role]}
        value={role}
        onChange={(event) => setRole(event.currentTarget.value as Role)}
        data={ROLES.map((each) => ({ value: each, label: WORDS.roles[each] }))}
      />
    </ActDialog>
  );
}

interface HandedOver {
  name: string;
  link: string;
  expiresAt: string;
}

/** Undefined if there is nothing to pass on: the invitation was sent by e-mail, or is not needed. */
function handedOver(name: string, invitation: Invitation | null): HandedOver | undefined {
  if (invitation?.token == null) {
    done(invitation?.sentTo == null ? words.bySso : words.sentTo(invitation.sentTo));
    return undefined;
  }
  const own = `/console/verify-token?token=${encodeURIComponent(invitation.token)}`;
  return { name, link: invitation.url ?? new URL(own, location.origin).href, expiresAt: invitation.expiresAt };
}

/** Shows the link of an invitation, if the deployment sends no e-mail. */
function InvitationLink({ name, link, expiresAt, onClose }: HandedOver & { onClose: () => void }) {
  return (
    <ShownOnce title={words.linkTitle(name)} means={words.linkMeans} label={words.link} value={link} onClose={onClose}>
      <Text size="sm">
        {words.until}: <Moment at={expiresAt} />
      </Text>
    </ShownOnce>
  );
}
