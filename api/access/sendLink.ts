import { v7 } from 'uuid';
import type { Mail } from '../../domain/access/mail.ts';
import { mailPlace } from '../../engine/secrets/sealPlace.ts';
import { insertLink } from '../../prisma/store/mail/mails.ts';
import type { Services } from '../services.ts';
import { verifyTokenUrl } from './clientUrl.ts';
import { makeOneTimeToken } from './oneTimeToken.ts';

export interface LinkRequest {
  email: string;
  workspaceId?: string;
  expiresAt: Date;
  mailOf: (url: string) => Mail;
}

/** Mails a link whose token exists only in the sealed mail. */
export async function sendLink(
  { config, database, sealer }: Pick<Services, 'config' | 'database' | 'sealer'>,
  { mailOf, ...link }: LinkRequest,
): Promise<void> {
  if (config.CLIENT_URL === undefined) throw new Error('CLIENT_URL is missing: readConfig requires it with SMTP_URL');
  const { token, hash: tokenHash } = makeOneTimeToken();
  const id = v7();
  const mail = mailOf(verifyTokenUrl(config.CLIENT_URL, { token }).href);
  await insertLink(database, {
    ...link,
    tokenHash,
    mail: { id, ...sealer.seal(mailPlace(id), JSON.stringify(mail)) },
  });
}
