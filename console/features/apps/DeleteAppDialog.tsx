import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { done } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { UsedBy, usedBy } from '../../ui/UsedBy.tsx';
import { deleteApp } from './mutations.ts';
import { appUsers, type OneApp } from './queries.ts';
import { APPS } from './words.ts';

const words = APPS;

/** Names what uses the app before the deletion, which is impossible until then. */
export function DeleteAppDialog({ app, onClose }: { app: OneApp; onClose: () => void }) {
  const navigate = useNavigate();
  const { data, error } = useQuery(appUsers(app.appId));
  const isUsed = data !== undefined && data.total > 0;
  return (
    <ActDialog
      title={words.deleteTitle(app.name)}
      means={!isUsed && words.deleteMeans}
      button={words.delete}
      isDangerous
      isDisabled={isUsed || (data === undefined && error === null)}
      explain={(refusal) => usedBy(refusal)}
      onAct={async () => {
        await deleteApp(app.appId);
        done(words.deleted(app.name));
        await navigate({ to: '/apps' });
      }}
      onClose={onClose}
    >
      {error !== null && <ProblemAlert error={error} isRead />}
      {isUsed && <UsedBy users={data.users} total={data.total} title={words.isUsed} />}
    </ActDialog>
  );
}
