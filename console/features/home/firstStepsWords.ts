export const FIRST_STEPS = {
  title: 'Get started',
  means: 'This workspace has no workflow yet.',
  workflow: 'Create a workflow',
  apply: 'or deploy a project from your machine with',
  command: 'perdure apply',
  connect: 'Connect an app',
  connectMeans: 'so that steps can use its credentials',
  invite: 'Invite people',
  inviteMeans: 'to answer questions',
};
