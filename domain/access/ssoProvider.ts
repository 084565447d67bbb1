import { z } from 'zod';
import { ROLES } from './permission.ts';

export const SSO_PROVIDER = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'expected 1 to 64 letters, digits, - and _'),
  name: z.string().min(1).max(200),
  issuer: z.url().refine(isSecure, 'expected https, or http on loopback'),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  workspaceId: z.uuid(),
  /** Domains whose addresses may log in, in lower case. */
  domains: z.array(z.string().toLowerCase()).default([]),
  defaultRole: z.enum(ROLES).default('consumer'),
  /** Users with an address in `domains` can log in only by this provider. */
  ssoEnforced: z.boolean().default(false),
  passwordAuthDisabled: z.boolean().default(false),
});
export type SsoProvider = z.output<typeof SSO_PROVIDER>;

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
