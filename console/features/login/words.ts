/** By the error code with which the API redirects people back from a provider. */
const SSO_FAILURES: Record<string, string> = {
  SSO_UNAVAILABLE: 'Your provider does not answer. Try again in a minute.',
  SSO_STATE_INVALID: 'This login took too long, was already used, or was started in another browser. Start again.',
  SSO_DENIED: 'Your provider refused the login, or it was cancelled there.',
  SSO_FAILED: 'Your provider did not identify you. Ask your Perdure administrator to check its settings.',
  SSO_EMAIL_UNVERIFIED: 'Your provider has not verified your e-mail address. Verify it there, then try again.',
  SSO_NOT_ALLOWED:
    'Your e-mail address cannot log in here with this provider, or you were removed. Ask for an invitation.',
};

export const LOGIN = {
  title: 'Log in',
  email: 'E-mail',
  password: 'Password',
  button: 'Log in',
  with: (provider: string) => `Log in with ${provider}`,
  or: 'or',
  onlyByProvider: 'Password login is disabled. Log in with your organisation’s provider.',
  sendLink: 'Send me a link instead',
  linkSent: (email: string) => `If ${email} has an account, a login link is on its way. It works once.`,
  codeTitle: 'Second factor',
  code: 'Code',
  codeHelp: 'The six digits from your app, or a backup code.',
  codeButton: 'Confirm',
  back: 'Use another account',
  wrong: 'Incorrect e-mail or password.',
  wrongPassword: 'Incorrect password.',
  wrongCode: 'Incorrect code, or already used.',
  tooMany: 'Too many attempts.',
  againIn: (wait: string) => `Try again in ${wait}.`,
  againNow: 'You can try again now.',
  away: 'The API does not answer. Your text is kept; try again.',
  checking: 'Checking your link…',
  linkInvalid:
    'This link was already used, or has expired. Log in, or ask for a new one. For an invitation, ask the person who invited you.',
  linkCut: 'This link is incomplete. Open it from its message again, or log in.',
  linkAway: 'The API does not answer. Your link is kept on this page; try again.',
  already: (own: string, email: string) =>
    `You are logged in as ${own}. This link is for ${email}, and using it ends your session in this browser.`,
  linkOf: (email: string, workspace: string) => `This link logs you in to ${workspace} as ${email}. It works once.`,
  invitedTo: (workspace: string) => `You are invited to ${workspace}.`,
  linkPasswordHelp:
    'If you have an account with this e-mail address, enter its password. Otherwise choose one: at least 8 characters (12 for owners), hard to guess.',
  linkPasswordWrong:
    'This password is not accepted. If this address has an account, use its password. A new password must be longer or harder to guess.',
  as: (email: string) => `Log in as ${email}`,
  tryAgain: 'Try again',
  stay: 'Stay logged in',
  toInvitation: 'To the invitation',
  invited: 'You already have an account. Log in and accept the invitation there.',
  ended: 'Your session has ended. Log in again.',
  again: {
    title: 'Your session has ended',
    means: 'Log in again to continue. Your input stays on this page.',
    elsewhere: 'Opens in another tab. This page continues when you have logged in there.',
    other: 'Switch account',
    otherMeans: 'You leave this page, and unsaved input is lost.',
  },
  noMember:
    'You are no longer a member of this workspace. Ask for an invitation. To use another of your workspaces, choose “Switch account”.',
  noWorkspace: 'You are not a member of any workspace. Ask for an invitation.',
  invitedOnly: 'You are not a member of any workspace, but you are invited. You can accept the invitation here.',
  accept: (workspace: string) => `Accept the invitation to ${workspace}`,
  refused: {
    SSO_REQUIRED: 'Your organisation uses its own provider. Use its link below.',
    PASSWORD_LOGIN_DISABLED: 'Password login is disabled. Use the link of your provider.',
    NOT_FOUND:
      'This deployment sends no e-mail, so there are no login links. If you lost your password, ask an owner of your workspace for a new invitation.',
  } as Record<string, string>,
  ssoFailed: (code: string) => SSO_FAILURES[code] ?? `The login with your provider failed (${code}). Try again.`,
};
