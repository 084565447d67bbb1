import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ME } from '../data/me.ts';
import { peoplePages } from '../data/people.ts';
import { Page } from '../parts/Page.tsx';
import {
  type HandedOver,
  handedOver,
  type Invitation,
  InvitationLink,
  InviteDialog,
} from '../parts/settings/InviteDialog.tsx';
import { PeopleTable } from '../parts/settings/PeopleTable.tsx';
import { Listing } from '../parts/table/Listing.tsx';
import { SETTINGS } from '../words/en/settings.ts';
import { WORDS } from '../words/en.ts';
import './settings.css';

const words = SETTINGS.people;

/** Members and invited people: invite, change roles, reset a second factor, remove. */
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
