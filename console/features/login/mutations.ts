import type { Answer, Arguments } from 'perdure-client';
import { client } from '../../app/session/session.ts';

export type LoginAnswer = Answer<'loginWithToken'>;

export const logIn = (body: Arguments<'login'>['body']) => client.login({ body });

export const requestLoginLink = (email: string) => client.requestLoginLink({ body: { email } });

/** `password`: that of the account, or a new one. An invitation requires it. */
export const logInWithToken = (token: string, password?: string): Promise<LoginAnswer> =>
  client.loginWithToken({ body: { token, ...(password === undefined ? {} : { password }) } });

export const verifyLogin = (sessionToken: string, token: string) =>
  client.verifyLogin({ body: { sessionToken, token } });
