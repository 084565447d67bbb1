import { LOGIN } from '../../words/en/login.ts';
import { Door } from '../frame/Door.tsx';
import { Page } from '../Page.tsx';
import { LoginCodeForm, type LoginCodeProps } from './LoginCodeForm.tsx';

/** The second step of a login as a page. */
export function LoginCode(props: LoginCodeProps) {
  return (
    <Door>
      <Page title={LOGIN.codeTitle}>
        <LoginCodeForm {...props} />
      </Page>
    </Door>
  );
}
