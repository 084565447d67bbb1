import { failureSubjects, LINK_LIMITS, loginSubjects } from '../../../domain/access/loginLimit.ts';
import { loginLinkMail } from '../../../domain/access/mail.ts';
import { Problem } from '../../../domain/problem.ts';
import { normalizeEmail } from '../../access/email.ts';
import { recordTries, refuseTooMany } from '../../access/loginFailures.ts';
import { sendLink } from '../../access/mailedLink.ts';
import { refusePasswordLogin } from '../../access/sso/passwordLogins.ts';
import type { PublicOperation } from '../../operation.ts';

const LIFE_MS = 15 * 60_000;

/** The same answer, after the same work, whether or not there is such a person. */
export const requestLoginLink: PublicOperation<'requestLoginLink'> = async ({ body, ip, services, told }) => {
  const { config, database } = services;
  if (config.SMTP_URL === undefined) throw new Problem('NOT_FOUND', 'This deployment sends no e-mail');
  const email = normalizeEmail(body.email);
  told.email = email;
  refusePasswordLogin(config, email);
  const [account, address] = failureSubjects(loginSubjects(email, ip)).map((subject) => `link ${subject}`) as [
    string,
    string,
  ];
  await refuseTooMany(database, account, LINK_LIMITS.account);
  await refuseTooMany(database, address, LINK_LIMITS.address);
  await recordTries(database, [account, address]);
  const expiresAt = new Date(Date.now() + LIFE_MS);
  await sendLink(services, { email, expiresAt, mailOf: (url) => loginLinkMail(email, url, LIFE_MS / 60_000) });
  told.isOfEmail = true;
  return { accepted: true };
};
