export interface Mail {
  to: string;
  subject: string;
  text: string;
}

export function loginLinkMail(to: string, url: string, lifeMs: number): Mail {
  return {
    to,
    subject: 'Your link to log in',
    text: `Log in with this link:

${url}

It works once, for ${spanInWords(lifeMs)}. If you have not asked for it, you can ignore this e-mail: nobody can log in without the link.
`,
  };
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

function spanInWords(spanMs: number): string {
  const [unit, ms] = UNITS.find(([, each]) => spanMs % each === 0) ?? ['second', 1_000];
  const count = Math.round(spanMs / ms);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

export function invitationMail(to: string, url: string, workspace: string, lifeMs: number): Mail {
  return {
    to,
    subject: `You are invited to ${workspace}`,
    text: `You are invited to the workspace ${workspace}. Accept the invitation with this link, within ${spanInWords(lifeMs)}:

${url}

With an account of this address already, log in and accept the invitation there. Without one, the link logs you in once: set a password then. If you do not know the workspace, you can ignore this e-mail: nothing happens without you.
`,
  };
}
