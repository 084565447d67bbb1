export const PROOF = {
  title: 'Is it you?',
  means:
    'Actions with lasting effects require you to confirm your identity again. The confirmation is valid for five minutes.',
  password: 'Your password',
  code: 'Code',
  codeHelp: 'The six digits of your app, or one of your backup codes.',
  usePassword: 'Use the password',
  useCode: 'Use a code',
  button: 'Go on',
  wrong: 'That is not right. Try again.',
  byProvider: 'You have no password here. Log out, log in with your provider, and do this within five minutes.',
  none: 'You have no password yet. Set one in your account, log in with it, and come back.',
};
