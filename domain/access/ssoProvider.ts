import { z } from 'zod';
import { ROLES } from './permission.ts';

/** An OpenID Connect provider of SSO_PROVIDERS. */
export const SSO_PROVIDER = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'expected 1 to 64 letters, digits, - and _'),
  name: z.string().min(1).max(200),
  issuer: z.url().refine(isSecure, 'expected https, or http on loopback'),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  /** The workspace that people of this provider join. */
  workspaceId: z.uuid(),
  /** Domains of admitted e-mail addresses, in lower case. */
  domains: z.array(z.string().toLowerCase()).default([]),
  defaultRole: z.enum(ROLES).default('consumer'),
  /** People of `domains` have no other way in. */
  ssoEnforced: z.boolean().default(false),
  /** Nobody has. */
  passwordAuthDisabled: z.boolean().default(false),
});
export type SsoProvider = z.output<typeof SSO_PROVIDER>;

/** The part of an e-mail address behind its last @, in lower case. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

function isSecure(issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
