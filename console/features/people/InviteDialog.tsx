import { NativeSelect, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ROLES, type Role } from '../../../domain/access/permission.ts';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { done } from '../../ui/notices/notices.tsx';
import { ShownOnce } from '../../ui/ShownOnce.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { type Invitation, invitePerson } from './mutations.ts';
import { PEOPLE } from './words.ts';

const words = PEOPLE;

interface InviteDialogProps {
  onInvited: (name: string, invitation: Invitation | null) => void;
  onClose: () => void;
}

export function InviteDialog({ onInvited, onClose }: InviteDialogProps) {
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

export interface HandedOver {
  name: string;
  link: string;
  expiresAt: string;
}

/** Undefined if there is nothing to pass on: the invitation was sent by e-mail, or is not needed. */
export function handedOver(name: string, invitation: Invitation | null): HandedOver | undefined {
  if (invitation?.token == null) {
    done(invitation?.sentTo == null ? words.bySso : words.sentTo(invitation.sentTo));
    return undefined;
  }
  const own = `/console/verify-token?token=${encodeURIComponent(invitation.token)}`;
  return { name, link: invitation.url ?? new URL(own, location.origin).href, expiresAt: invitation.expiresAt };
}

/** Shows the link of an invitation, if the deployment sends no e-mail. */
export function InvitationLink({ name, link, expiresAt, onClose }: HandedOver & { onClose: () => void }) {
  return (
    <ShownOnce title={words.linkTitle(name)} means={words.linkMeans} label={words.link} value={link} onClose={onClose}>
      <Text size="sm">
        {words.until}: <Moment at={expiresAt} />
      </Text>
    </ShownOnce>
  );
}
