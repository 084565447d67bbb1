import { NavLink } from '@mantine/core';
import { IconSettings } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { WORDS } from '../../ui/words/words.ts';
import type { Permission } from '../api/me.ts';
import { settingsFor } from '../pages/places.ts';

interface SettingsLinksProps {
  permissions: readonly Permission[];
  pathname: string;
  onGo: () => void;
}

export function SettingsLinks({ permissions, pathname, onGo }: SettingsLinksProps) {
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
