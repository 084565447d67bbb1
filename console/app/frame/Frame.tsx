import { Alert, Anchor, AppShell, Badge, Burger, Container, Group, NavLink, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCloudOff, IconSettings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { countOf, openQuestions } from '../../features/inbox/queries.ts';
import { keepLeases } from '../../features/queues/leaseMutations.ts';
import { giveFocusBack } from '../../ui/keys/focusBack.ts';
import { listenToKeys, walkRows } from '../../ui/keys/pageKeys.ts';
import { Loading } from '../../ui/Loading.tsx';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import { useLive } from '../../ui/load/liveness.ts';
import { isAwayProblem, warned } from '../../ui/notices.tsx';
import { Page } from '../../ui/Page.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { ME, type Permission } from '../api/me.ts';
import { QUERIES } from '../api/queries.ts';
import { followFeed } from '../feed/feed.ts';
import { mayOpen, needsRoom, placesFor, settingsFor } from '../pages/places.ts';
import { ProofDialog } from '../proof/ProofDialog.tsx';
import { ENDED, hasFollowed, isLoggedIn } from '../session/session.ts';
import { personId } from '../storage/personId.ts';
import { FinderPlace } from './FinderPlace.tsx';
import { noticing } from './noticing.ts';
import { PersonMenu } from './PersonMenu.tsx';

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
        <Permitted>{children}</Permitted>
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

/** Requests nothing before the permissions are known: a refusal would be in the audit log. */
function Permitted({ children }: { children: ReactNode }) {
  const { data: me, isPending, errorUpdateCount } = useQuery(ME);
  const { pathname } = useLocation();
  // If the API does not answer, the page itself reports it.
  const isUnread = me === undefined && (!isPending || errorUpdateCount > 0);
  if (isUnread || mayOpen(pathname, me?.permissions ?? [])) return children;
  return me === undefined ? <Loading /> : <NotAllowed />;
}

interface SettingsLinksProps {
  permissions: readonly Permission[];
  pathname: string;
  onGo: () => void;
}

function SettingsLinks({ permissions, pathname, onGo }: SettingsLinksProps) {
  const isHere = pathname.startsWith('/settings');
  return (
    <NavLink
      key={String(isHere)}
      component="button"
      label={WORDS.navigation.settings}
      leftSection={<IconSettings size={18} aria-hidden />}
      defaultOpened={isHere}
      childrenOffset={30}
    >
      {settingsFor(permissions).map((page) => {
        const isCurrent = pathname === `/settings/${page}`;
        return (
          <NavLink
            key={page}
            component={Link}
            to={`/settings/${page}`}
            label={WORDS.navigation.settingsPages[page]}
            onClick={onGo}
            active={isCurrent}
            aria-current={isCurrent ? 'page' : undefined}
          />
        );
      })}
    </NavLink>
  );
}

export function NoSuchPage() {
  const said = (
    <Page title={WORDS.problem.notFoundTitle}>
      <Text mb="md">{WORDS.problem.notFoundText}</Text>
      <Anchor component={Link} to="/" underline="always">
        {WORDS.problem.toHome}
      </Anchor>
    </Page>
  );
  if (isLoggedIn()) return <Frame>{said}</Frame>;
  return (
    <Container component="main" py="xl">
      {said}
    </Container>
  );
}

function NotAllowed() {
  return (
    <Page title={WORDS.problem.notAllowedTitle}>
      <Text>{WORDS.problem.notAllowedText}</Text>
    </Page>
  );
}

/** A shorter interruption of the stream is not reported. */
const AFTER_MS = 2_000;

/** Reports that the API is unreachable; loaded data stays on the page. `isUnread`: the person could not be read. */
function AwayBanner({ isUnread }: { isUnread: boolean }) {
  const live = useLive();
  // After the session has ended the stream is closed on purpose, and the login dialog explains why.
  const isOver = useSyncExternalStore(ENDED.subscribe, ENDED.get) !== undefined;
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    if (isOver || (live !== false && !isUnread)) return setAway(false);
    const timer = setTimeout(() => setAway(true), AFTER_MS);
    return () => clearTimeout(timer);
  }, [live, isUnread, isOver]);
  return (
    <div role="status">
      {isAway && (
        <Alert
          mb="md"
          color="yellow"
          icon={<IconCloudOff aria-hidden />}
          title={WORDS.problem.away}
          styles={{ title: { color: 'var(--ink-ask)' } }}
        >
          {isUnread ? WORDS.problem.awayRead : WORDS.problem.awayText}
        </Alert>
      )}
    </div>
  );
}
