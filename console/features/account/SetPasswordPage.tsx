import { Anchor, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ME } from '../../app/api/me.ts';
import { Door } from '../../app/pages/Door.tsx';
import { ProofDialog } from '../../app/proof/ProofDialog.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { done } from '../../ui/notices.tsx';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { LOGIN } from '../login/words.ts';
import { PasswordForm } from './PasswordForm.tsx';
import { ACCOUNT } from './words.ts';

const words = ACCOUNT;

/** The link of an invitation works once, so its person needs a password to log in again. */
export function SetPassword() {
  const navigate = useNavigate();
  const me = useQuery(ME);
  const person = me.data !== undefined && 'email' in me.data ? me.data : undefined;
  return (
    <Door>
      <Page title={words.setPassword}>
        {me.isPending && <Loading height={120} />}
        {me.error !== null && <ProblemAlert error={me.error} onRetry={() => void me.refetch()} />}
        {me.data !== undefined && person === undefined && <Text>{words.key}</Text>}
        {person !== undefined && (
          <>
            <Text mb="sm">{words.setMeans}</Text>
            {/* Password managers read the account from it. */}
            <Text size="sm" mb="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
              {person.email}
            </Text>
            <PasswordForm
              hasPassword={person.hasPassword}
              beside={
                <Button variant="subtle" component={Link} to="/">
                  {words.later}
                </Button>
              }
              onDone={() => {
                done(words.passwordDone);
                void navigate({ to: '/', replace: true });
              }}
            />
          </>
        )}
        {me.error !== null && (
          <Anchor component={Link} to="/login">
            {LOGIN.button}
          </Anchor>
        )}
      </Page>
      <ProofDialog />
    </Door>
  );
}
