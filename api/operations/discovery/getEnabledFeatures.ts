import { hasVectors } from '../../../prisma/store/database/abilities.ts';
import type { Operation } from '../../operation.ts';

/** The features of this deployment; openapi.yaml describes each flag. */
export const getEnabledFeatures: Operation<'getEnabledFeatures'> = async ({ services }) => {
  const { catalogue, config, database } = services;
  return {
    embedded: config.DATABASE_URL === undefined || config.TEMPORAL_ADDRESS === undefined,
    email: config.SMTP_URL !== undefined,
    singleSignOn: config.SSO_PROVIDERS.length > 0,
    // No setting enables files: no deployment has them.
    storage: false,
    testingApp: catalogue.has('testing'),
    vectorDatabase: await hasVectors(database),
    modelProvider: config.OPENAI_API_KEY !== undefined,
    // The encoder is a part of the product.
    localEmbeddings: true,
  };
};
