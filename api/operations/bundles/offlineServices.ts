import { buildCatalogue } from '../../../activities/apps/catalogue.ts';
import { readConfig } from '../../../config.ts';

/** The package's catalogue and default settings, for rules that run without a server. */
export function offlineServices() {
  const config = readConfig({});
  return {
    config,
    catalogue: buildCatalogue({
      testing: config.ENABLE_TESTING_APP,
      gitHubUrl: config.GITHUB_URL,
      slackUrl: config.SLACK_URL,
    }),
  };
}
