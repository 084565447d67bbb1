import { z } from 'zod';

/** A client that the operator has registered at the provider of an app (OAUTH2_CLIENTS). */
export const DEPLOYMENT_CLIENT = z.strictObject({
  // The person chooses where `http` sends it.
  appId: z
    .string()
    .min(1)
    .refine((appId) => appId !== 'http', 'expected another app than http, whose addresses people choose'),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  scopes: z.string().optional(),
});
export type DeploymentClient = z.output<typeof DEPLOYMENT_CLIENT>;
