/** Words of a workspace without a workflow. */
export const FIRST_STEPS = {
  title: 'Begin here',
  means: 'This workspace has no workflow yet.',
  workflow: 'Make a workflow',
  apply: 'or send a project from your machine with',
  command: 'perdure apply',
  connect: 'Connect an app',
  connectMeans: 'whose credentials its steps then use',
  invite: 'Invite people',
  inviteMeans: 'who answer its questions',
};
