import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ResourceKind } from '../model/resourceKind.ts';
import { EDITOR } from '../words/editor.ts';

const words = EDITOR.none;

const PLACES = {
  workflow: '/workflows/new',
  agent: '/agents',
  queue: '/queues',
  objectType: '/objects',
  knowledge: '/knowledge',
  connection: '/settings/connections',
} as const satisfies Record<ResourceKind | 'connection', string>;

/** Under a list that has nothing to choose: where one is made. In another tab: what is being written stays here. */
export function NoneYet({ kind }: { kind: keyof typeof PLACES }) {
  return (
    <>
      {words.there[kind]}{' '}
      <Anchor inherit underline="always" renderRoot={(props) => <Link to={PLACES[kind]} target="_blank" {...props} />}>
        {words.make}
      </Anchor>
    </>
  );
}
