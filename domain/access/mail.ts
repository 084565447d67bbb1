/** A letter of the platform to one person. */
export interface Mail {
  to: string;
  subject: string;
  /** Plain text. */
  text: string;
}

export function loginLinkMail(to: string, url: string, minutes: number): Mail {
  return {
    to,
    subject: 'Your link to log in',
    text: `Log in with this link:

${url}

It works once, for ${minutes} minutes. If you have not asked for it, you can ignore this e-mail: nobody can log in without the link.
`,
  };
}

export function invitationMail(to: string, url: string, workspace: string, days: number): Mail {
  return {
    to,
    subject: `You are invited to ${workspace}`,
    text: `You have been added to the workspace ${workspace}. Log in with this link, and set a password:

${url}

It works once, for ${days} days.
`,
  };
}
