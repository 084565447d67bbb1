import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ME } from '../../app/api/me.ts';
import { Page } from '../../ui/Page.tsx';
import { Listing } from '../../ui/table/Listing.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { type HandedOver, handedOver, InvitationLink, InviteDialog } from './InviteDialog.tsx';
import type { Invitation } from './mutations.ts';
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
