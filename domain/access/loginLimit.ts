import { networkOf, networksAround } from './network.ts';

/**
 * Most failures in LOGIN_WINDOW: of one account or one address (decisions.md 2). Of IPv6, whose /64 are had in plenty, the /56 and the
 * /48 around it have a number of their own: more people come from there.
 */
export interface LoginLimits {
  LOGIN_FAILURES_MAX: number;
  LOGIN_FAILURES_MAX_HOUSEHOLD: number;
  LOGIN_FAILURES_MAX_SITE: number;
}

/** Keys of the counted failures: the account, known or not, and the address. */
export interface LoginSubjects {
  email: string;
  network: string;
  /** Of IPv6, the networks around it. */
  around?: { household: string; site: string } | undefined;
}

export function loginSubjects(email: string, ip: string): LoginSubjects {
  return { email, network: networkOf(ip), around: networksAround(ip) };
}

export function accountSubject({ email }: Pick<LoginSubjects, 'email'>): string {
  return `email:${email}`;
}

export function addressSubject({ network }: Pick<LoginSubjects, 'network'>): string {
  return `ip:${network}`;
}

/** What a failed login counts for, and how many of them close it. */
export function failureSubjects(login: LoginSubjects, limits: LoginLimits): { subject: string; most: number }[] {
  const {
    LOGIN_FAILURES_MAX: failures,
    LOGIN_FAILURES_MAX_HOUSEHOLD: household,
    LOGIN_FAILURES_MAX_SITE: site,
  } = limits;
  const { around } = login;
  return [
    { subject: accountSubject(login), most: failures },
    { subject: addressSubject(login), most: failures },
    ...(around
      ? [
          { subject: `ip:${around.household}`, most: household },
          { subject: `ip:${around.site}`, most: site },
        ]
      : []),
  ];
}
