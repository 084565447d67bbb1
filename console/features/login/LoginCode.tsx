import { Door } from '../../app/pages/Door.tsx';
import { Page } from '../../ui/Page.tsx';
import { LoginCodeForm, type LoginCodeProps } from './LoginCodeForm.tsx';
import { LOGIN } from './words.ts';

export function LoginCode(props: LoginCodeProps) {
  return (
    <Door>
      <Page title={LOGIN.codeTitle}>
        <LoginCodeForm {...props} />
      </Page>
    </Door>
  );
}
