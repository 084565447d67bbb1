import { z } from 'zod';

/** An OAuth2 client that the operator has registered with an app's provider (OAUTH2_CLIENTS). */
export const DEPLOYMENT_CLIENT = z.strictObject({
  // Not `http`: its users choose the host to which the client's secret would be sent.
  appId: z
    .string()
    .min(1)
    .refine((appId) => appId !== 'http', 'expected an app other than http, whose addresses users choose'),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  scopes: z.string().optional(),
});
export type DeploymentClient = z.output<typeof DEPLOYMENT_CLIENT>;
