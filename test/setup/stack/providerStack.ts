import { onTestFinished } from '../jest/onTestFinished.ts';
import { CLIENT, startIdentityProvider } from '../providers/identityProvider.ts';
import { startStack } from './ownStack.ts';

/** Starts a stack with single sign-on by Acme for one test. `admits`: its rule; default: the owner's domain. */
export async function stackWithProvider(admits?: object) {
  const provider = await startIdentityProvider();
  onTestFinished(() => provider.close());
  const environment: Record<string, string> = {};
  const stack = await startStack({ environment });
  onTestFinished(() => stack.dispose());
  await provider.serve(`${stack.url}/api/auth/sso/acme/callback`);
  const { workspaceId, email, password } = stack.credentials;
  const whom = admits ?? { domains: [email.split('@')[1]] };
  const acme = { id: 'acme', name: 'Acme', issuer: provider.issuer, ...CLIENT, workspaceId, ...whom };
  environment.SSO_PROVIDERS = JSON.stringify([acme]);
  await stack.stop();
  await stack.startAgain();
  return { provider, stack, owner: { email, password: password ?? '' } };
}
