import { buildCatalogue } from '../../../activities/apps/catalogue.ts';
import { readConfig } from '../../../config.ts';

/** What rules need without a running product: the package's catalogue, and default settings. */
export function offlineServices() {
  const config = readConfig({});
  return { config, catalogue: buildCatalogue({ testing: config.ENABLE_TESTING_APP, gitHubUrl: config.GITHUB_URL }) };
}
