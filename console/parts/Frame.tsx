import { AppShell, Badge, Burger, Group, NavLink, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconBook,
  IconBox,
  IconHome,
  IconInbox,
  IconLayoutList,
  IconMessageCircle,
  IconPlayerPlay,
  IconRoute,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { idOf, ME, type Permission } from '../data/me.ts';
import { questionCount } from '../data/questions.ts';
import { followFeed } from '../live/feed.ts';
import { keepLeases } from '../live/held.ts';
import { listenToKeys } from '../live/pageKeys.ts';
import { walkRows } from '../live/rowKeys.ts';
import { WORDS } from '../words/en.ts';
import { AwayBanner } from './AwayBanner.tsx';
import { PersonMenu } from './PersonMenu.tsx';
import { ProofDialog } from './ProofDialog.tsx';
import { SettingsLinks } from './SettingsLinks.tsx';

const KeySheet = lazy(async () => ({ default: (await import('./KeySheet.tsx')).KeySheet }));

interface Place {
  to: '/' | '/inbox' | '/executions' | '/queues' | '/workflows' | '/agents' | '/knowledge' | '/objects';
  label: string;
  /** Behind g. */
  key: string;
  icon: typeof IconHome;
  /** Any of them. */
  needs: Permission | readonly Permission[];
}

const PLACES: Place[] = [
  { to: '/', key: 'h', label: WORDS.navigation.home, icon: IconHome, needs: 'executions:read' },
  {
    to: '/inbox',
    key: 'i',
    label: WORDS.navigation.inbox,
    icon: IconInbox,
    // Who may use agents alone answers in their tasks.
    needs: ['executions:read', 'agents:read', 'queues:write'],
  },
  { to: '/queues', key: 'q', label: WORDS.navigation.queues, icon: IconLayoutList, needs: 'queues:read' },
  { to: '/executions', key: 'e', label: WORDS.navigation.executions, icon: IconPlayerPlay, needs: 'executions:read' },
  { to: '/workflows', key: 'w', label: WORDS.navigation.workflows, icon: IconRoute, needs: 'workflows:read' },
  { to: '/agents', key: 'a', label: WORDS.navigation.agents, icon: IconMessageCircle, needs: 'agents:use' },
  { to: '/knowledge', key: 'k', label: WORDS.navigation.knowledge, icon: IconBook, needs: 'knowledge:read' },
  { to: '/objects', key: 'n', label: WORDS.navigation.objects, icon: IconBox, needs: 'objects:read' },
];

const isAny = (needs: Place['needs'], permissions: readonly Permission[] = []) =>
  [needs].flat().some((each) => permissions.includes(each));

/** Navigation, the person's menu, and the page. Shows only what the person may see. */
export function Frame() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const { data: me } = useQuery(ME);
  const { pathname } = useLocation();
  const permissions = me?.permissions;
  const feed = me && `${me.workspace.id} ${idOf(me)}`;
  useEffect(() => {
    if (feed === undefined) return;
    const stopped = new AbortController();
    void followFeed(feed, stopped.signal);
    return () => stopped.abort();
  }, [feed]);
  useEffect(walkRows, []);
  const navigate = useNavigate();
  const [showsKeys, setShowsKeys] = useState(false);
  const keyedPlaces = PLACES.filter(({ needs }) => isAny(needs, permissions));
  const newest = useRef(keyedPlaces);
  newest.current = keyedPlaces;
  useEffect(
    () =>
      listenToKeys(
        (letter) => {
          const place = newest.current.find(({ key }) => key === letter);
          if (place !== undefined) void navigate({ to: place.to });
        },
        () => setShowsKeys(true),
      ),
    [navigate],
  );
  const userId = me === undefined ? undefined : idOf(me);
  useEffect(() => (userId === undefined ? undefined : keepLeases(userId)), [userId]);
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header>
        <a className="skip" href="#page">
          {WORDS.skip}
        </a>
        <Group h="100%" px="md" wrap="nowrap">
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={WORDS.navigation.open}
            aria-expanded={isOpen}
          />
          <Group gap="xs" wrap="nowrap" style={{ marginRight: 'auto', minWidth: 0 }}>
            <img src="/console/assets/perdure.svg" alt="" width={24} height={24} />
            <Text fw={700} truncate>
              {me?.workspace.name ?? WORDS.product}
            </Text>
          </Group>
          {me !== undefined && <PersonMenu me={me} onKeys={() => setShowsKeys(true)} />}
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={WORDS.navigation.label}>
        {PLACES.filter(({ needs }) => isAny(needs, permissions)).map(({ to, label, icon: Icon }) => (
          <NavLink
            key={to}
            component={Link}
            to={to}
            label={label}
            onClick={close}
            leftSection={<Icon size={18} aria-hidden />}
            rightSection={to === '/inbox' && permissions?.includes('executions:read') && <QuestionCount />}
            active={to === '/' ? pathname === '/' : pathname.startsWith(to)}
            aria-current={(to === '/' ? pathname === '/' : pathname.startsWith(to)) ? 'page' : undefined}
          />
        ))}
        {me !== undefined && <SettingsLinks permissions={me.permissions} pathname={pathname} onGo={close} />}
      </AppShell.Navbar>
      <AppShell.Main id="page">
        <AwayBanner />
        <Outlet />
        <ProofDialog />
        {showsKeys && (
          <Suspense>
            <KeySheet places={keyedPlaces} onClose={() => setShowsKeys(false)} />
          </Suspense>
        )}
      </AppShell.Main>
    </AppShell>
  );
}

/** How many questions are open; nothing where there are none. */
function QuestionCount() {
  const { data } = useQuery(questionCount());
  if (data === undefined || data.count === 0) return null;
  return (
    <Badge variant="default" size="sm">
      {data.count}
      {data.isBounded ? '+' : ''}
    </Badge>
  );
}
