import { networkOf, networksAround } from './network.ts';

/**
 * The failures that LOGIN_WINDOW allows for one account or one address. Of IPv6 the /56 and the /48 around an address have limits of
 * their own, because one person can have many /64: these limits are higher, since more people share them.
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
