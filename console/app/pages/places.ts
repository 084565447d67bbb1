import {
  IconApps,
  IconBook,
  IconBox,
  IconHome,
  IconInbox,
  IconLayoutList,
  IconMessageCircle,
  IconPlayerPlay,
  IconRoute,
} from '@tabler/icons-react';
import { WORDS } from '../../ui/words/words.ts';
import type { Permission } from '../api/me.ts';

export interface Place {
  to: '/' | '/inbox' | '/executions' | '/queues' | '/workflows' | '/agents' | '/knowledge' | '/objects' | '/apps';
  label: string;
  /** The key after g. */
  key: string;
  icon: typeof IconHome;
  needs: Permission | readonly Permission[];
}

const PLACES: readonly Place[] = [
  { to: '/', key: 'h', label: WORDS.navigation.home, icon: IconHome, needs: 'executions:read' },
  {
    to: '/inbox',
    key: 'i',
    label: WORDS.navigation.inbox,
    icon: IconInbox,
    // Users with agents:use only answer in their tasks.
    needs: ['executions:read', 'agents:read', 'queues:write'],
  },
  { to: '/queues', key: 'q', label: WORDS.navigation.queues, icon: IconLayoutList, needs: 'queues:read' },
  { to: '/executions', key: 'e', label: WORDS.navigation.executions, icon: IconPlayerPlay, needs: 'executions:read' },
  { to: '/workflows', key: 'w', label: WORDS.navigation.workflows, icon: IconRoute, needs: 'workflows:read' },
  {
    to: '/agents',
    key: 'a',
    label: WORDS.navigation.agents,
    icon: IconMessageCircle,
    needs: ['agents:use', 'agents:read'],
  },
  { to: '/knowledge', key: 'k', label: WORDS.navigation.knowledge, icon: IconBook, needs: 'knowledge:read' },
  { to: '/objects', key: 'n', label: WORDS.navigation.objects, icon: IconBox, needs: 'objects:read' },
  { to: '/apps', key: 'p', label: WORDS.navigation.apps, icon: IconApps, needs: 'workflows:read' },
];

export function placesFor(permissions: readonly Permission[] = []): Place[] {
  return PLACES.filter(({ needs }) => [needs].flat().some((each) => permissions.includes(each)));
}

export const placeName = (to: Place['to']) => PLACES.find((place) => place.to === to)?.label ?? to;

/** Whether the page needs the full width, so that the navigation shrinks to icons until it is used. */
export const needsRoom = (pathname: string) => /^\/workflows\/(new|[^/]+\/edit)$/.test(pathname);

/** Paths outside the navigation are always allowed here. */
export function mayOpen(pathname: string, permissions: readonly Permission[]): boolean {
  const page = SETTINGS.find(([name]) => isBelow(pathname, `/settings/${name}`));
  if (page !== undefined) return page[1] === null || permissions.includes(page[1]);
  // Both create a workflow.
  if (['/workflows/new', '/templates'].includes(pathname) && !permissions.includes('workflows:write')) return false;
  const place = PLACES.find(({ to }) => (to === '/' ? pathname === to : isBelow(pathname, to)));
  return place === undefined || placesFor(permissions).includes(place);
}

const isBelow = (pathname: string, place: string) => pathname === place || pathname.startsWith(`${place}/`);

type SettingsPage = keyof typeof WORDS.navigation.settingsPages;

/** Each page with the permission that it needs; null: everybody has an account. */
const SETTINGS: readonly [page: SettingsPage, needs: Permission | null][] = [
  ['connections', 'connections:read'],
  ['variables', 'variables:read'],
  ['people', 'workspace:admin'],
  ['keys', 'workspace:admin'],
  ['audit', 'workspace:admin'],
  ['account', null],
  ['system', 'executions:read'],
];

export function settingsFor(permissions: readonly Permission[]): SettingsPage[] {
  return SETTINGS.flatMap(([page, needs]) => (needs === null || permissions.includes(needs) ? [page] : []));
}
