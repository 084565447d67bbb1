import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import { type FormEvent, useState } from 'react';
import { ME } from '../../app/api/me.ts';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { canNotify, forgetNotices, wantNotices, wantsNotices } from '../../app/storage/noticeChoice.ts';
import { NOTICES } from '../../app/storage/noticeWords.ts';
import { Chip } from '../../ui/Chip.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { done } from '../../ui/notices.tsx';
import { Page, Section } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { Listing } from '../../ui/table/Listing.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { useAbsoluteTime } from '../../ui/time/useAbsoluteTime.ts';
import { WorkButton } from '../../ui/WorkButton.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { changeName, endOtherSessions, endSession, refreshEverything, refreshSessions } from './mutations.ts';
import { OwnWorkspaces } from './OwnWorkspaces.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { type Person, type Session, sessionPages } from './queries.ts';
import { SecondFactor } from './SecondFactor.tsx';
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

const MAX_NAME_LENGTH = 200;

function NameForm({ name }: { name: string }) {
  const [typed, setTyped] = useState(name);
  const wanted = typed.trim();
  const change = useMutation({
    mutationFn: () => changeName(wanted),
    onSuccess: async () => {
      setTyped(wanted);
      await refreshEverything();
      done(words.nameDone);
    },
  });
  const atField = isProblem(change.error) ? change.error.errors.find(({ path }) => path === 'name') : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wanted !== '' && wanted !== name) change.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Group align="end" gap="sm" mb="sm">
        <TextInput
          label={WORDS.name}
          description={words.nameHelp}
          autoComplete="name"
          required
          withAsterisk={false}
          maxLength={MAX_NAME_LENGTH}
          style={{ flex: '0 1 26rem' }}
          error={atField?.message}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={wanted === '' || wanted === name} loading={change.isPending}>
          {words.changeName}
        </Button>
      </Group>
      {change.error !== null && atField === undefined && <ProblemAlert error={change.error} />}
    </form>
  );
}

/** Switches notifications in this browser. The browser's permission is requested only when the person clicks. */
function NoticeSetting({ userId }: { userId: string }) {
  const [isOn, setOn] = useState(() => wantsNotices(userId));
  const [refusal, setRefusal] = useState<string>();
  const turnOn = async () => {
    const leave = await Notification.requestPermission();
    if (leave !== 'granted') return setRefusal(leave === 'denied' ? NOTICES.denied : NOTICES.unasked);
    try {
      // Phone browsers define `Notification` but throw here.
      new Notification(NOTICES.title, { body: NOTICES.trial, tag: 'trial', icon: '/console/assets/perdure.svg' });
    } catch {
      return setRefusal(NOTICES.impossible);
    }
    wantNotices(userId);
    setRefusal(undefined);
    setOn(true);
  };
  const turnOff = () => {
    forgetNotices();
    setOn(false);
  };
  return (
    <Stack gap="sm" align="start">
      <Text size="sm">{NOTICES.means}</Text>
      {canNotify() ? (
        <>
          <Text role="status">{refusal ?? (isOn ? NOTICES.on : NOTICES.off)}</Text>
          <Button variant="default" onClick={isOn ? turnOff : () => void turnOn()}>
            {isOn ? NOTICES.turnOff : NOTICES.turnOn}
          </Button>
        </>
      ) : (
        <Text>{NOTICES.impossible}</Text>
      )}
    </Stack>
  );
}

function Sessions() {
  const pages = useInfiniteQuery(sessionPages());
  const [isAsking, setAsking] = useState(false);
  const rows = pages.data?.pages.flatMap((page) => page.rows) ?? [];
  const absoluteTime = useAbsoluteTime();
  const end = async ({ id }: Session) => {
    await endSession(id);
    done(words.ended(1));
  };
  const columns: Column<Session>[] = [
    {
      key: 'began',
      header: words.columns.began,
      cell: ({ createdAt, isCurrent }) => (
        <>
          <Moment at={createdAt} /> {isCurrent && <Chip tone="good">{words.thisOne}</Chip>}
        </>
      ),
    },
    { key: 'used', header: words.columns.used, cell: ({ refreshedAt }) => <Moment at={refreshedAt} /> },
    { key: 'network', header: words.columns.network, cell: ({ network }) => network ?? WORDS.none },
    { key: 'expires', header: words.columns.expires, cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
    {
      key: 'acts',
      card: 'corner',
      header: <span className="aloud">{WORDS.actions}</span>,
      className: 'acts',
      cell: (session) =>
        !session.isCurrent && (
          <WorkButton
            size="compact-sm"
            variant="default"
            aria-label={words.endOf(absoluteTime(session.createdAt))}
            onAct={() => end(session)}
          >
            {words.end}
          </WorkButton>
        ),
    },
  ];
  return (
    <Stack gap="sm">
      <Text size="sm">{words.sessionsMean}</Text>
      <Listing pages={pages} empty={WORDS.none}>
        <DataTable label={words.sessions} columns={columns} rows={rows} />
      </Listing>
      {rows.length > 1 && (
        <Button variant="default" style={{ alignSelf: 'start' }} onClick={() => setAsking(true)}>
          {words.endOthers}
        </Button>
      )}
      {isAsking && (
        <ActDialog
          title={words.endOthersTitle}
          means={words.endOthersMeans}
          button={words.endOthers}
          isDangerous
          onAct={async () => {
            const count = await endOtherSessions();
            await refreshSessions();
            done(count === 0 ? words.noOthers : words.ended(count));
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Stack>
  );
}
