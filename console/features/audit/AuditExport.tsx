import { Button, Group, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { csvOf } from '../../ui/files/csv.ts';
import { saveFile } from '../../ui/files/saveFile.ts';
import { done, failed } from '../../ui/notices/notices.tsx';
import { type AuditEntry, allEntries } from './queries.ts';
import { AUDIT } from './words.ts';

const words = AUDIT;
const COLUMNS = [
  'at',
  'actorType',
  'actorId',
  'actorName',
  'action',
  'resourceType',
  'resourceId',
  'resourceName',
  'outcome',
  'address',
  'requestId',
];

const rowOf = ({ actor, ...entry }: AuditEntry) => ({
  ...entry,
  actorType: actor?.type,
  actorId: actor?.id,
  actorName: actor?.name,
});

/** Exports all matching entries as CSV. If stopped, exports the entries read so far. */
export function AuditExport({ filterBy }: { filterBy: string }) {
  const [count, setCount] = useState<number>();
  const running = useRef<AbortController>(undefined);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      running.current?.abort();
    };
  }, []);
  const run = async () => {
    const stop = new AbortController();
    running.current = stop;
    setCount(0);
    try {
      const entries = await allEntries(filterBy, stop.signal, setCount);
      if (isGone.current) return;
      const day = new Date().toISOString().slice(0, 10);
      saveFile(`audit-log-${day}.csv`, 'text/csv', csvOf(COLUMNS, entries.map(rowOf)));
      done(stop.signal.aborted ? words.stopped(entries.length) : words.exported(entries.length));
    } catch (error) {
      failed(error);
    } finally {
      setCount(undefined);
    }
  };
  if (count === undefined) {
    return (
      <Button variant="default" onClick={() => void run()}>
        {words.export}
      </Button>
    );
  }
  return (
    <Group gap="xs">
      <Text size="sm" role="status">
        {words.exporting(count)}
      </Text>
      <Button variant="default" onClick={() => running.current?.abort()}>
        {words.stop}
      </Button>
    </Group>
  );
}
