import { networkOf, networksAround } from './network.ts';

/** Failed logins that LOGIN_WINDOW allows. Wider IPv6 networks have higher limits, because more people share them. */
export interface LoginLimits {
  LOGIN_FAILURES_MAX: number;
  LOGIN_FAILURES_MAX_HOUSEHOLD: number;
  LOGIN_FAILURES_MAX_SITE: number;
}

/** The keys under which failed logins are counted. The account need not exist. */
export interface LoginSubjects {
  email: string;
  network: string;
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

/** Returns the counters that a failed login increments, each with the number of failures that blocks further logins. */
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
