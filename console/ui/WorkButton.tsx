import { Button, type ButtonProps } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import { useRef } from 'react';
import { failed } from './notices/notices.tsx';

interface WorkButtonProps extends ButtonProps {
  'aria-label'?: string;
  onAct: () => Promise<unknown>;
}

/** Does at once what needs no question, and once: until it is done, a second click does nothing. */
export function WorkButton({ onAct, ...how }: WorkButtonProps) {
  const queries = useQueryClient();
  /** Known before the button is drawn as one that works. */
  const isAtWork = useRef(false);
  const act = useMutation({
    mutationFn: onAct,
    onSettled: () => {
      isAtWork.current = false;
    },
    onError: (error) => {
      failed(error);
      // Somebody else was quicker: what is gone does not stay beside its button.
      if (isProblem(error) && error.status === 404) void queries.invalidateQueries();
    },
  });
  const begin = () => {
    if (isAtWork.current) return;
    isAtWork.current = true;
    act.mutate();
  };
  return <Button {...how} loading={act.isPending} onClick={begin} />;
}
