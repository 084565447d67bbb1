import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Person } from '../data/account.ts';
import { ME } from '../data/me.ts';
import { NameForm } from '../parts/account/NameForm.tsx';
import { NoticeSetting } from '../parts/account/NoticeSetting.tsx';
import { OwnWorkspaces } from '../parts/account/OwnWorkspaces.tsx';
import { PasswordForm } from '../parts/account/PasswordForm.tsx';
import { SecondFactor } from '../parts/account/SecondFactor.tsx';
import { Sessions } from '../parts/account/Sessions.tsx';
import { Loading } from '../parts/Loading.tsx';
import { done } from '../parts/notices.tsx';
import { Page } from '../parts/Page.tsx';
import { ProblemAlert } from '../parts/problem/ProblemAlert.tsx';
import { Section } from '../parts/Section.tsx';
import { NOTICES } from '../words/en/notices.ts';
import { SETTINGS } from '../words/en/settings.ts';
import { WORDS } from '../words/en.ts';
import './settings.css';

const words = SETTINGS.account;

/** What concerns one person alone: name, password, second factor, sessions, workspaces and invitations to others. */
export function Account() {
  const me = useQuery(ME);
  return (
    <Page title={WORDS.navigation.settingsPages.account}>
      {me.isPending && <Loading />}
      {me.error !== null && <ProblemAlert error={me.error} onRetry={() => void me.refetch()} />}
      {me.data !== undefined && ('email' in me.data ? <Own person={me.data} /> : <Text>{words.key}</Text>)}
    </Page>
  );
}

function Own({ person }: { person: Person }) {
  return (
    <Stack gap="xl">
      <Section title={words.person}>
        <NameForm name={person.name} />
        <dl className="facts">
          <dt>{words.email}</dt>
          <dd>{person.email}</dd>
          <dt>{words.role}</dt>
          <dd>{SETTINGS.people.roles[person.role]}</dd>
        </dl>
      </Section>
      <Section title={words.password}>
        {!person.hasPassword && <Text mb="sm">{words.hasNone}</Text>}
        <PasswordForm hasPassword={person.hasPassword} onDone={() => done(words.passwordDone)} />
      </Section>
      <Section title={words.factor}>
        <SecondFactor person={person} />
      </Section>
      <Section title={NOTICES.title}>
        <NoticeSetting userId={person.id} />
      </Section>
      <Section title={words.sessions}>
        <Sessions />
      </Section>
      <Section title={words.workspaces}>
        <OwnWorkspaces person={person} />
      </Section>
    </Stack>
  );
}
