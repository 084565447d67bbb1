/** By the error code with which the API redirects people back from a provider. */
const SSO_FAILURES: Record<string, string> = {
  SSO_UNAVAILABLE: 'Your provider does not answer. Try again in a minute.',
  SSO_STATE_INVALID: 'This login took too long, was used already, or was begun in another browser. Begin it once more.',
  SSO_DENIED: 'Your provider has refused the login, or it was cancelled there.',
  SSO_FAILED:
    'The answer of your provider does not show who you are. Ask those who run Perdure to look at its settings.',
  SSO_EMAIL_UNVERIFIED: 'Your provider does not vouch for your e-mail address. Verify it there, then try again.',
  SSO_NOT_ALLOWED:
    'Your e-mail address may not log in here with this provider, or you were removed. Ask to be invited.',
};

export const LOGIN = {
  title: 'Log in',
  email: 'E-mail',
  password: 'Password',
  button: 'Log in',
  with: (provider: string) => `Log in with ${provider}`,
  or: 'or',
  onlyByProvider: 'Passwords are switched off here. Log in with your organisation’s provider.',
  sendLink: 'Send me a link instead',
  linkSent: (email: string) => `If ${email} has an account, a link is on its way. It can be used once.`,
  codeTitle: 'Second factor',
  code: 'Code',
  codeHelp: 'The six digits of your app, or one of your backup codes.',
  codeButton: 'Confirm',
  back: 'Use another account',
  wrong: 'E-mail or password is not right.',
  wrongPassword: 'The password is not right.',
  wrongCode: 'The code is not right, or was used already.',
  tooMany: 'Too many tries.',
  againIn: (wait: string) => `Try again in ${wait}.`,
  againNow: 'You can try again now.',
  away: 'The API does not answer. Your text is kept; try again.',
  checking: 'Checking your link…',
  linkInvalid:
    'This link was used already, or has ended. Log in, or ask for a new one: of an invitation, those who invited you.',
  linkCut: 'This address is not the whole link. Open the link in its message once more, or log in.',
  linkAway: 'The API does not answer. Your link is kept on this page; try again.',
  already: (own: string, email: string) =>
    `You are logged in as ${own}. This link is for ${email}, and using it ends your session in this browser.`,
  linkOf: (email: string, workspace: string) => `This link logs you in to ${workspace} as ${email}. It works once.`,
  invitedTo: (workspace: string) => `You are invited to ${workspace}.`,
  linkPasswordHelp:
    'If you have an account with this e-mail address, enter its password. Otherwise choose one: at least 8 characters (12 for owners), hard to guess.',
  linkPasswordWrong:
    'This password is not accepted. An account of this address needs its own password; a new one must be longer or harder to guess.',
  as: (email: string) => `Log in as ${email}`,
  tryAgain: 'Try again',
  stay: 'Stay as I am',
  toInvitation: 'To the invitation',
  invited: 'You have an account already. Log in, and accept the invitation there.',
  ended: 'Your session has ended. Log in again.',
  again: {
    title: 'Your session has ended',
    means: 'Log in again to go on: what you typed stays on this page.',
    elsewhere: 'Opens in another tab. This page goes on when you are logged in there.',
    other: 'Somebody else logs in',
    otherMeans: 'That leaves this page: what was typed here and not saved is lost.',
  },
  noMember:
    'E-mail and password are right, but you are not a member of this workspace any more. Ask to be invited; to go to another workspace of yours, leave this page by “Somebody else logs in”.',
  noWorkspace: 'E-mail and password are right, but you are a member of no workspace now. Ask to be invited.',
  invitedOnly:
    'E-mail and password are right. You are a member of no workspace now; you are invited, and may accept that here.',
  accept: (workspace: string) => `Accept the invitation to ${workspace}`,
  refused: {
    SSO_REQUIRED: 'Your organisation logs in with its own provider: use its link below.',
    PASSWORD_LOGIN_DISABLED: 'Passwords are switched off here: use the link of your provider.',
    NOT_FOUND:
      'No e-mail is sent here, so there is no link. Log in by password; who has lost theirs asks an owner of their workspace for a new invitation.',
  } as Record<string, string>,
  ssoFailed: (code: string) => SSO_FAILURES[code] ?? `The login with your provider has failed (${code}). Try again.`,
};
