import { hasVectors } from '../../../prisma/store/database/capabilities.ts';
import { baseUrl } from '../../access/callbackUrl.ts';
import type { Operation } from '../../operation.ts';
import { PRODUCT_VERSION } from '../../productVersion.ts';

export const getEnabledFeatures: Operation<'getEnabledFeatures'> = async ({ caller, headers, services }) => {
  const { catalogue, config, database } = services;
  const { TEMPORAL_UI_URL: temporalUiUrl, TEMPORAL_NAMESPACE: temporalNamespace } = config;
  // The location of the executions that the caller may read.
  const engine = { ...(temporalUiUrl === undefined ? {} : { temporalUiUrl }), temporalNamespace };
  return {
    version: PRODUCT_VERSION,
    ...(config.CONSOLE === 'on' ? { consoleUrl: `${baseUrl(config.PUBLIC_URL, headers)}/console/` } : {}),
    webhookUrl: `${baseUrl(config.WEBHOOK_URL ?? config.PUBLIC_URL, headers)}/api/webhooks/workflows/`,
    ...(caller.permissions.has('executions:read') ? engine : {}),
    embedded: config.DATABASE_URL === undefined || config.TEMPORAL_ADDRESS === undefined,
    email: config.SMTP_URL !== undefined,
    singleSignOn: config.SSO_PROVIDERS.length > 0,
    storage: false,
    testingApp: catalogue.has('testing'),
    vectorDatabase: await hasVectors(database),
    modelProvider: config.OPENAI_API_KEY !== undefined,
    localEmbeddings: true,
  };
};
