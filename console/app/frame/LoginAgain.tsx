import { Button, Divider, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { LoginCodeForm } from '../../features/login/LoginCode.tsx';
import { LoginForm } from '../../features/login/LoginForm.tsx';
import { LOGIN } from '../../features/login/words.ts';
import { comeBack, leave, type PageOwner } from '../session/session.ts';

const words = LOGIN.again;

/** Above all dialogs and notifications. */
const ABOVE = 1_000;

/** The login as a dialog over a page whose session has ended. Only a login or leaving the page closes it. */
export function LoginAgain({ owner }: { owner: PageOwner }) {
  const [sessionToken, setSessionToken] = useState<string>();
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (sessionToken !== undefined) body.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  }, [sessionToken]);
  return (
    <Modal
      opened
      onClose={() => undefined}
      closeOnEscape={false}
      withCloseButton={false}
      title={words.title}
      zIndex={ABOVE}
      transitionProps={{ duration: 0 }}
    >
      <Stack ref={body}>
        <Text>{words.means}</Text>
        {sessionToken === undefined ? (
          <LoginForm
            email={owner.email}
            workspaceId={owner.workspaceId}
            onDone={comeBack}
            onCode={setSessionToken}
            isOverPage
          />
        ) : (
          <LoginCodeForm sessionToken={sessionToken} onDone={comeBack} onBack={() => setSessionToken(undefined)} />
        )}
        <Divider />
        <Button variant="subtle" color="gray" c="var(--ink-neutral)" onClick={() => void leave(false)}>
          {words.other}
        </Button>
        <Text size="sm" ta="center">
          {words.otherMeans}
        </Text>
      </Stack>
    </Modal>
  );
}
