import { Button, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconChevronDown } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { failed } from '../../ui/notices.tsx';
import type { Zone } from '../../ui/time/times.ts';
import { chooseZone, useZone } from '../../ui/time/timeZone.ts';
import { WORDS } from '../../ui/words/words.ts';
import { enterWorkspace, type Me } from '../api/me.ts';
import { QUERIES } from '../api/queries.ts';
import { client, forgetSession } from '../session/session.ts';

const SCHEMES = ['light', 'dark', 'auto'] as const;
const ZONES = ['local', 'UTC'] as const;

export function PersonMenu({ me, onKeys }: { me: Me; onKeys: () => void }) {
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const zone = useZone();
  const isPerson = 'email' in me;
  const name = isPerson ? me.name || me.email : WORDS.product;
  const leave = async () => {
    await navigate({ to: '/login' });
    // The person stayed because of unsaved changes: keep the session.
    if (!location.pathname.endsWith('/login')) return;
    forgetSession();
    QUERIES.clear();
  };
  const endSession = async () => {
    try {
      await client.logout();
      await leave();
    } catch (error) {
      failed(error);
    }
  };
  const enter = async (workspaceId: string) => {
    try {
      await enterWorkspace(workspaceId);
    } catch (error) {
      failed(error);
    }
  };
  const others = isPerson ? me.workspaces.filter(({ id }) => id !== me.workspace.id) : [];
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          style={{ flexShrink: 0, maxWidth: '45%' }}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          aria-label={WORDS.navigation.account(name)}
        >
          {name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {others.length > 0 && <Menu.Label>{WORDS.navigation.workspace}</Menu.Label>}
        {others.map((workspace) => (
          <Menu.Item key={workspace.id} onClick={() => void enter(workspace.id)}>
            {workspace.name}
          </Menu.Item>
        ))}
        <Menu.Label>{WORDS.navigation.scheme}</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}>
          {SCHEMES.map((scheme) => (
            <Menu.RadioItem key={scheme} value={scheme} checkIcon={<IconCheck size={14} aria-hidden />}>
              {WORDS.navigation.schemes[scheme]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Label>{WORDS.navigation.zone}</Menu.Label>
        <Menu.RadioGroup value={zone} onChange={(chosen) => chooseZone(chosen as Zone)}>
          {ZONES.map((each) => (
            <Menu.RadioItem key={each} value={each} checkIcon={<IconCheck size={14} aria-hidden />}>
              {WORDS.navigation.zones[each]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item onClick={onKeys}>{WORDS.navigation.keys}</Menu.Item>
        <Menu.Item component={Link} to={'/settings/account' as string}>
          {WORDS.navigation.ownAccount}
        </Menu.Item>
        <Menu.Item onClick={() => void endSession()}>{WORDS.navigation.endSession}</Menu.Item>
        <Menu.Item onClick={() => void leave()}>{WORDS.navigation.logOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
