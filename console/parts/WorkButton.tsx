import { Button, type ButtonProps } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import { failed } from './notices.tsx';

interface WorkButtonProps extends ButtonProps {
  'aria-label'?: string;
  onAct: () => Promise<unknown>;
}

/** Does at once what needs no question, and once: until it is done, a second click does nothing. */
export function WorkButton({ onAct, ...how }: WorkButtonProps) {
  const queries = useQueryClient();
  const act = useMutation({
    mutationFn: onAct,
    onError: (error) => {
      failed(error);
      // Somebody else was quicker: what is gone does not stay beside its button.
      if (isProblem(error) && error.status === 404) void queries.invalidateQueries();
    },
  });
  return <Button {...how} loading={act.isPending} onClick={() => act.mutate()} />;
}
