import { z } from 'zod';
import { SSO_PROVIDER } from '../domain/access/ssoProvider.ts';
import { readTokenSecrets } from '../domain/access/tokenSecrets.ts';
import { bytes, count, jsonList, ms, span, webUrl } from './values.ts';

export const PEOPLE_SETTINGS = {
  TOKEN_SECRET: z
    .string()
    .refine(
      (text) => readTokenSecrets(text) !== undefined,
      'expected at least 32 characters for each secret of the list',
    )
    .optional()
    .describe(
      'Secrets of access and refresh tokens (HS256), at least 32 characters each, comma separated; the first signs, all verify. Required in production; `npm start` makes one.',
    ),
  ENCRYPTION_KEY: z
    .string()
    .optional()
    .describe(
      'Keys that seal credentials, `id:base64` of 32 bytes, comma separated; the first seals, all open. Required in production; `npm start` makes one.',
    ),
  ACCESS_TOKEN_TTL: span.prefault('15m').describe('Lifetime of an access token.'),
  REFRESH_TOKEN_TTL: span.prefault('30d').describe('Lifetime of a refresh token and its session.'),
  SESSION_IDLE_TIMEOUT: span
    .optional()
    .describe(
      'A session ends when it has requested no access token for this time, which must be longer than ACCESS_TOKEN_TTL. Absent: a session lives as long as its refresh token.',
    ),
  CONFIRMATION_MAX_AGE: span
    .prefault('5m')
    .describe(
      'Maximum age of a proof of identity (password, code or single sign-on) for making API keys or owners, or for resetting the second factor of others.',
    ),
  LOGIN_WINDOW: span.prefault('15m').describe('Period in which failed logins and sent login links are counted.'),
  LOGIN_FAILURES_MAX: count
    .default(10)
    .describe(
      'Failed logins (passwords and codes) in LOGIN_WINDOW after which an account, or an address, gets 429; an IPv6 address counts by its /64.',
    ),
  LOGIN_FAILURES_MAX_HOUSEHOLD: count.default(30).describe('The same for the /56 around an IPv6 address.'),
  LOGIN_FAILURES_MAX_SITE: count.default(100).describe('The same for the /48 around an IPv6 address.'),
  LOGIN_LINK_TTL: span.prefault('15m').describe('Lifetime of a login link.'),
  LOGIN_LINKS_MAX: count
    .default(5)
    .describe('Login links that are sent to one account in LOGIN_WINDOW; further requests get 429.'),
  LOGIN_LINKS_MAX_ADDRESS: count
    .default(20)
    .describe('The same for all requests from one address; an IPv6 address counts by its /64.'),
  SECOND_FACTOR_TTL: span.prefault('5m').describe('How long a login waits for the code of its second factor.'),
  SECOND_FACTOR_TRIES: count.default(5).describe('Codes that may be tried in one login.'),
  SSO_LOGIN_TTL: span.prefault('10m').describe('How long a user may take to log in at an identity provider.'),
  SSO_TIMEOUT_MS: ms
    .default(10_000)
    .describe('Timeout for all requests to an identity provider in one step of a login, however steadily it answers.'),
  SSO_MAX_ANSWER_BYTES: bytes
    .default(1_048_576)
    .describe('Maximum answer of an identity provider, decompressed; a larger one fails the login.'),
  PASSWORD_MIN_LENGTH: z.coerce
    .number()
    .int()
    .min(8)
    .max(64)
    .default(8)
    .describe('Minimum characters of a new password.'),
  OWNER_PASSWORD_MIN_LENGTH: z.coerce
    .number()
    .int()
    .min(8)
    .max(64)
    .default(12)
    .describe('The same for owners of a workspace; never fewer than PASSWORD_MIN_LENGTH.'),
  INVITATION_TTL: span.prefault('7d').describe('Lifetime of an invitation to a workspace.'),
  CLIENT_URL: webUrl
    .optional()
    .describe(
      'Address of the web client: the target of redirects after single sign-on and of links in e-mails. Absent: the console, at PUBLIC_URL.',
    ),
  SSO_PROVIDERS: jsonList(SSO_PROVIDER)
    .default([])
    .describe(
      'OpenID Connect providers, a JSON list: `id`, `name`, `issuer`, `clientId`, `clientSecret`, `workspaceId`, `domains`, `defaultRole`, `ssoEnforced`, `passwordAuthDisabled`. Needs `CLIENT_URL`, or the console at a known address.',
    ),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'expected smtp://… or smtps://…' })
    .optional()
    .describe(
      'SMTP server for login links and invitations, with user and password if it requires them; `?requireTLS=true` refuses a server without TLS. Needs `CLIENT_URL`, or the console at a known address; absent: no e-mail is sent.',
    ),
  MAIL_FROM: z.string().min(3).default('Perdure <perdure@localhost>').describe('Sender of e-mails.'),
  MAIL_TIMEOUT_MS: ms.default(10_000).describe('Timeout of a call to the SMTP server.'),
  AUDIT_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(36_500)
    .default(365)
    .describe('Days after which entries of the audit log are deleted; 0 keeps them.'),
};
