import { lazyPart } from '../../ui/load/lazyPart.ts';
import '../../ui/table/groups.css';
import { Button, Code, Text } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useMay } from '../../app/api/me.ts';
import type { SearchOf } from '../../ui/search.ts';
import { Moment } from '../../ui/time/Moment.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { totalOf } from '../statistics/outcomes.ts';
import type { Statistics } from '../statistics/queries.ts';
import { ExecutionsLink } from './ExecutionsLink.tsx';
import { filterByOf } from './queries/executionFilter.ts';

/** Not in `words.ts`, because the home page loads without it. */
const words = {
  last: 'last',
  retryThese: 'Retry these',
  retryTheseOf: (name: string) => `Retry these: ${name}`,
  failedWith: (code: string) => `Executions that failed with ${code}.`,
  failedOf: (workflow: string) => `Executions of “${workflow}” that failed.`,
};

const SHOWN = 5;
const BulkDialog = lazyPart(() => import('./BulkDialog.tsx'), 'BulkDialog');

type Group = Statistics['groups'][number];

interface FailureGroupsProps {
  groups: readonly Group[];
  by: 'workflow' | 'errorCode';
  within: SearchOf<'/frame/executions'>;
}

/** Always mounted, because its dialog stays open while the retries leave no failure. */
export function FailureGroups({ groups, by, within }: FailureGroupsProps) {
  const mayRun = useMay()('executions:run');
  const [retried, setRetried] = useState<{ filterBy: string; about: string }>();
  return (
    <>
      <table className="groups" hidden={groups.length === 0}>
        <tbody>
          {groups.slice(0, SHOWN).map((group) => {
            const name = group.name ?? WORDS.deletedWorkflow;
            const search = { ...within, [by]: group.key };
            return (
              <tr key={group.key}>
                <th scope="row">
                  {by === 'errorCode' ? <Code px={4}>{group.key}</Code> : name}
                  <Text size="xs">
                    {words.last} <Moment at={group.lastAt} />
                  </Text>
                </th>
                <td>
                  <ExecutionsLink search={search}>{totalOf(group).toLocaleString('en')}</ExecutionsLink>
                </td>
                {mayRun && (
                  <td>
                    <Button
                      variant="default"
                      size="compact-xs"
                      aria-label={words.retryTheseOf(name)}
                      // The minute of the click: the dialog counts and retries the same executions.
                      onClick={() =>
                        setRetried({
                          filterBy: filterByOf(search, Date.now()),
                          about: by === 'errorCode' ? words.failedWith(name) : words.failedOf(name),
                        })
                      }
                    >
                      {words.retryThese}
                    </Button>
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      {retried !== undefined && (
        <Suspense fallback={null}>
          <BulkDialog
            kind="retry"
            target={{ filterBy: retried.filterBy }}
            about={retried.about}
            onClose={() => setRetried(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}
