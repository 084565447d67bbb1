import { NavLink } from '@mantine/core';
import { IconSettings } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Permission } from '../data/me.ts';
import { WORDS } from '../words/en.ts';

type SettingsPage = keyof typeof WORDS.navigation.settingsPages;

/** Each page with the permission that it needs; null: everybody has an account. */
const PAGES: readonly [page: SettingsPage, needs: Permission | null][] = [
  ['connections', 'connections:read'],
  ['variables', 'variables:read'],
  ['people', 'workspace:admin'],
  ['keys', 'workspace:admin'],
  ['audit', 'workspace:admin'],
  ['account', null],
  ['system', 'executions:read'],
];

interface SettingsLinksProps {
  permissions: readonly Permission[];
  pathname: string;
  onGo: () => void;
}

/** The settings in the navigation, those that the person may see; open where one of them is shown. */
export function SettingsLinks({ permissions, pathname, onGo }: SettingsLinksProps) {
  const seen = PAGES.filter(([, needs]) => needs === null || permissions.includes(needs));
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
      {seen.map(([page]) => {
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
