import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import type { FormEvent, ReactNode } from 'react';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { withProof } from '../proof/proof.ts';

interface ActDialogProps {
  title: string;
  means?: ReactNode;
  children?: ReactNode;
  button: string;
  dismiss?: string;
  isDangerous?: boolean;
  isDisabled?: boolean;
  size?: string;
  /** The dialog closes when this resolves. A fresh proof is requested if the API requires one. */
  onAct: () => Promise<unknown>;
  onClose: () => void;
  /** Explains a problem; undefined: use the API's text. */
  explain?: (error: unknown) => ReactNode;
}

export function ActDialog({ title, means, children, button, onAct, onClose, explain, ...how }: ActDialogProps) {
  const queries = useQueryClient();
  const act = useMutation({
    mutationFn: () => withProof(onAct),
    onSuccess: onClose,
    // A 404 means that somebody else deleted it: refresh the list behind the dialog.
    onError: (error) => isProblem(error) && error.status === 404 && void queries.invalidateQueries(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    act.mutate();
  };
  const explained = act.error === null ? undefined : explain?.(act.error);
  return (
    <Modal opened onClose={onClose} title={title} {...staysOpen(act.isPending)} size={how.size ?? 'md'}>
      <form onSubmit={submit}>
        <Stack>
          {means !== undefined && means !== false && <Text component="div">{means}</Text>}
          {children}
          {explained !== undefined && <div role="alert">{explained}</div>}
          {act.error !== null && explained === undefined && <ProblemAlert error={act.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {how.dismiss ?? WORDS.cancel}
            </Button>
            <Button
              type="submit"
              color={how.isDangerous === true ? 'red.9' : undefined}
              disabled={how.isDisabled === true}
              loading={act.isPending}
            >
              {button}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Props of a `Modal` that Escape must not close while it works: its result would be lost. */
export const staysOpen = (isBusy: boolean) => ({ closeOnEscape: !isBusy });
