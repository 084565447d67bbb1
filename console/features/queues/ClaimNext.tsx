import { Button, Group, NativeSelect } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { failed } from '../../ui/notices.tsx';
import { claimNext } from './mutations.ts';
import { refreshQueues } from './queries.ts';
import { ITEM_WORK } from './words.ts';

const words = ITEM_WORK;

interface Claimable {
  id: string;
  name: string;
}

interface ClaimNextProps {
  queue: Claimable | undefined;
  userId: string | undefined;
  onClaimed: (place: { queueId: string; itemId: string }) => void;
}

const FIRST_LEASE = '300000';

export function ClaimNext({ queue, userId, onClaimed }: ClaimNextProps) {
  const queries = useQueryClient();
  const [leaseMs, setLeaseMs] = useState(FIRST_LEASE);
  const claim = useMutation({
    mutationFn: (from: Claimable) => claimNext(from, Number(leaseMs), userId ?? ''),
    onSuccess: (place, { name }) => {
      void refreshQueues(queries);
      if (place === undefined) notifications.show({ message: words.noneReady(name) });
      else onClaimed(place);
    },
    onError: failed,
  });
  return (
    <Group gap="xs" align="end" wrap="nowrap">
      <NativeSelect
        size="xs"
        label={words.lease}
        value={leaseMs}
        onChange={(event) => setLeaseMs(event.currentTarget.value)}
        data={Object.entries(words.leases).map(([value, label]) => ({ value, label }))}
      />
      <Button
        size="xs"
        data-claim
        loading={claim.isPending}
        disabled={queue === undefined || userId === undefined}
        onClick={() => queue !== undefined && claim.mutate(queue)}
      >
        {words.claim}
      </Button>
    </Group>
  );
}
