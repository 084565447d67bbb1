import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ME } from '../../app/api/me.ts';
import { NOTICES } from '../../app/storage/noticeWords.ts';
import { Loading } from '../../ui/Loading.tsx';
import { done } from '../../ui/notices/notices.tsx';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { Section } from '../../ui/Section.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { NameForm } from './NameForm.tsx';
import { NoticeSetting } from './NoticeSetting.tsx';
import { OwnWorkspaces } from './OwnWorkspaces.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import type { Person } from './queries.ts';
import { SecondFactor } from './SecondFactor.tsx';
import { Sessions } from './Sessions.tsx';
import { ACCOUNT } from './words.ts';
import '../../ui/settings.css';

const words = ACCOUNT;

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
          <dd>{WORDS.roles[person.role]}</dd>
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
