import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ResourceKind } from '../model/inputSpecs.ts';
import { EDITOR } from '../words.ts';

const words = EDITOR.none;

const PLACES = {
  workflow: '/workflows/new',
  agent: '/agents',
  queue: '/queues',
  objectType: '/objects',
  knowledge: '/knowledge',
  connection: '/settings/connections',
} as const satisfies Record<ResourceKind | 'connection', string>;

/** Links to the page that creates such a resource, in another tab, so that unsaved changes stay. */
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
