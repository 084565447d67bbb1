import { AppShell, Burger, Group, NavLink, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconHome, IconPlayerPlay, IconRoute } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ME, type Permission } from '../data/me.ts';
import { followFeed } from '../live/feed.ts';
import { walkRows } from '../live/rowKeys.ts';
import { WORDS } from '../words/en.ts';
import { AwayBanner } from './AwayBanner.tsx';
import { PersonMenu } from './PersonMenu.tsx';
import { ProofDialog } from './ProofDialog.tsx';
import { SettingsLinks } from './SettingsLinks.tsx';

interface Place {
  to: '/' | '/executions' | '/workflows';
  label: string;
  icon: typeof IconHome;
  needs: Permission;
}

const PLACES: Place[] = [
  { to: '/', label: WORDS.navigation.home, icon: IconHome, needs: 'executions:read' },
  { to: '/executions', label: WORDS.navigation.executions, icon: IconPlayerPlay, needs: 'executions:read' },
  { to: '/workflows', label: WORDS.navigation.workflows, icon: IconRoute, needs: 'workflows:read' },
];

/** Navigation, the person's menu, and the page. Shows only what the person may see. */
export function Frame() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const { data: me } = useQuery(ME);
  const { pathname } = useLocation();
  const permissions = me?.permissions;
  useEffect(() => {
    if (permissions === undefined) return;
    const stopped = new AbortController();
    void followFeed(stopped.signal);
    return () => stopped.abort();
  }, [permissions]);
  useEffect(walkRows, []);
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
          {me !== undefined && <PersonMenu me={me} />}
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={WORDS.navigation.label}>
        {PLACES.filter(({ needs }) => me?.permissions.includes(needs)).map(({ to, label, icon: Icon }) => (
          <NavLink
            key={to}
            component={Link}
            to={to}
            label={label}
            onClick={close}
            leftSection={<Icon size={18} aria-hidden />}
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
      </AppShell.Main>
    </AppShell>
  );
}
