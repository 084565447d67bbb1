import { Button, type ButtonProps } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import { useRef } from 'react';
import { failed } from './notices.tsx';

interface WorkButtonProps extends ButtonProps {
  'aria-label'?: string;
  onAct: () => Promise<unknown>;
}

/** Clicks during the action are ignored. */
export function WorkButton({ onAct, ...how }: WorkButtonProps) {
  const queries = useQueryClient();
  /** Also true between the click and the next render. */
  const isAtWork = useRef(false);
  const act = useMutation({
    mutationFn: onAct,
    onSettled: () => {
      isAtWork.current = false;
    },
    onError: (error) => {
      failed(error);
      // A 404 means that somebody else deleted it: refresh the list.
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
