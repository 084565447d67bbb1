import { AppShell, Badge, Burger, Group, NavLink, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { countOf, openQuestions } from '../../features/inbox/queries.ts';
import { keepLeases } from '../../features/queues/leaseMutations.ts';
import { giveFocusBack } from '../../ui/keys/focusBack.ts';
import { listenToKeys, walkRows } from '../../ui/keys/pageKeys.ts';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import { isAwayProblem, warned } from '../../ui/notices.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { ME } from '../api/me.ts';
import { QUERIES } from '../api/queries.ts';
import { followFeed } from '../feed/feed.ts';
import { needsRoom, placesFor } from '../pages/places.ts';
import { ProofDialog } from '../proof/ProofDialog.tsx';
import { hasFollowed } from '../session/followedTab.ts';
import { personId } from '../storage/personId.ts';
import { AwayBanner } from './AwayBanner.tsx';
import { FinderPlace } from './FinderPlace.tsx';
import { Judged } from './Judged.tsx';
import { noticing } from './noticing.ts';
import { PersonMenu } from './PersonMenu.tsx';
import { SettingsLinks } from './SettingsLinks.tsx';

const UnreadParts = lazyPart(() => import('../pages/UnreadParts.tsx'), 'UnreadParts');
const KeySheet = lazyPart(() => import('./KeySheet.tsx'), 'KeySheet');

/** The navigation, the person's menu, and the page of the address or `children`. Shows only what the person may see. */
export function Frame({ children = <Outlet /> }: { children?: ReactNode }) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const { data: me, error, isPending, errorUpdateCount } = useQuery(ME);
  const { pathname } = useLocation();
  const permissions = me?.permissions;
  const feed = me && `${me.workspace.id} ${personId(me)}`;
  const userId = me === undefined ? undefined : personId(me);
  const navigate = useNavigate();
  useEffect(() => {
    if (feed === undefined || userId === undefined) return;
    const stopped = new AbortController();
    void followFeed(
      feed,
      stopped.signal,
      noticing(userId, stopped.signal, (place) => void navigate(place)),
    );
    return () => stopped.abort();
  }, [feed, userId, navigate]);
  const workspace = me?.workspace.name;
  useEffect(() => {
    if (workspace !== undefined && hasFollowed()) warned(WORDS.followed(workspace));
  }, [workspace]);
  useEffect(walkRows, []);
  useEffect(giveFocusBack, []);
  const [showsKeys, setShowsKeys] = useState(false);
  const places = placesFor(permissions);
  const isRail = needsRoom(pathname);
  const newest = useRef(places);
  newest.current = places;
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
  const [hasFailed, setFailed] = useState(false);
  useEffect(
    () =>
      QUERIES.getQueryCache().subscribe((event) => {
        const error = event.type === 'updated' && event.action.type === 'error' ? event.action.error : undefined;
        // For an unreachable API, the banner and the failed part report the problem.
        if (error !== undefined && !isAwayProblem(error)) setFailed(true);
      }),
    [],
  );
  useEffect(() => (userId === undefined ? undefined : keepLeases(userId)), [userId]);
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: isRail ? 60 : 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
      transitionDuration={0}
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
          {me !== undefined && <FinderPlace permissions={me.permissions} />}
          {me !== undefined && <PersonMenu me={me} onKeys={() => setShowsKeys(true)} />}
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" className={isRail ? 'rail' : undefined} aria-label={WORDS.navigation.label}>
        {places.map(({ to, label, icon: Icon }) => (
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
        <AwayBanner isUnread={isAwayProblem(error) || (isPending && errorUpdateCount > 0)} />
        {hasFailed && (
          <Suspense>
            <UnreadParts />
          </Suspense>
        )}
        <Judged>{children}</Judged>
        <ProofDialog />
        {showsKeys && (
          <Suspense>
            <KeySheet places={places} onClose={() => setShowsKeys(false)} />
          </Suspense>
        )}
      </AppShell.Main>
    </AppShell>
  );
}

function QuestionCount() {
  const { data } = useQuery(openQuestions('mine'));
  if (data === undefined || data.questions.length === 0) return null;
  return (
    <Badge variant="default" size="sm">
      {countOf(data.questions.length, data.hasMore)}
    </Badge>
  );
}
